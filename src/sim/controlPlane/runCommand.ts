import { spawn } from "node:child_process";
import { basename } from "node:path";

export interface CommandOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Called with each line of standard error as it comes. */
  readonly onStderrLine?: (line: string) => void;
}

const tailLines = 15;

/**
 * Runs a program to its end and returns its standard output. Fails when the program cannot be started (`code` is
 * `ENOENT` when it is not there) or ends with another status than 0; the message then has the end of its standard error.
 */
export const runCommand = (command: string, args: readonly string[], options: CommandOptions = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd,
      env: options.env,
      stdio: [options.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    let out = "";
    let rest = "";
    let tail: readonly string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      out += chunk;
    });
    child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) options.onStderrLine?.(line);
      tail = [...tail, ...lines].slice(-tailLines);
    });
    // A program that ends without reading its input breaks the pipe; its status tells the rest.
    child.stdin?.on("error", () => undefined).end(options.stdin);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(out);
      else
        reject(
          new Error(
            `${basename(command)} ${args[0] ?? ""} ended with ${signal ?? code}: ${[...tail, rest].join("\n").trim()}`,
          ),
        );
    });
  });
