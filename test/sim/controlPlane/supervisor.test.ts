import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const supervisor = join(import.meta.dirname, "..", "..", "..", "src", "sim", "controlPlane", "supervisor.ts");

/** Orders a program from a supervisor that stands still, and is gone before it can read that. Prints its pid. */
const owner = `
  const { fork } = require("node:child_process");
  const [supervisor, folder] = process.argv.slice(1);
  const child = fork(supervisor, [folder], { detached: true, stdio: ["ignore", "ignore", "ignore", "ipc"], execArgv: [] });
  process.kill(child.pid, "SIGSTOP");
  const program = { name: "any", command: process.execPath, args: ["-e", "setTimeout(() => 0, 20000)"], env: {},
    logFile: folder + "/any.log", graceMs: 0 };
  child.send({ kind: "start", child: program }, () => {
    console.log(child.pid);
    process.exit(0);
  });
`;

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("ends what it starts, and removes the folder, when its owner is gone before it can report", async () => {
  const folder = await mkdtemp(join(tmpdir(), "capstan-supervisor-"));
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", owner, supervisor, folder]);
  const pid = Number(stdout);
  process.kill(pid, "SIGCONT");
  while (isAlive(pid)) await sleep(20);
  expect(existsSync(folder)).toBe(false);
});
