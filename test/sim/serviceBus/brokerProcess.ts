import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const main = fileURLToPath(new URL("../../../src/sim/serviceBus/main.ts", import.meta.url));

export interface BrokerProcess {
  readonly port: number;
  /** Sends the signal, or closes its stdin, and gives the exit code: null when the signal ended it. */
  end(how: NodeJS.Signals | "closeStdin"): Promise<number | null>;
}

/** The broker in its own process, as the demo runs it; gone after the test. */
export const startBrokerProcess = async (...flags: readonly string[]): Promise<BrokerProcess> => {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit") as Promise<[number | null]>;
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { port } = JSON.parse(line) as { readonly port: number };
  return {
    port,
    end: async (how) => {
      if (how === "closeStdin") child.stdin.end();
      else child.kill(how);
      return (await exited)[0];
    },
  };
};

/** Runs the broker's command line to its end. */
export const runBroker = async (...flags: readonly string[]): Promise<{ code: number | null; stderr: string }> => {
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "ignore", "pipe"] });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, stderr };
};
