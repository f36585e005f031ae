import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { launch } from "../../../src/sim/process/launch.ts";
import { type Part, startPart } from "../../../src/sim/stack/part.ts";

const program = new URL("fixtures/program.ts", import.meta.url);

describe("a part of the stack", () => {
  const lines: string[] = [];
  let part: Part | undefined;
  let failing = 0;
  let launched = 0;
  const start = async (): Promise<Part> => {
    lines.length = 0;
    launched = 0;
    part = await startPart({
      name: "program",
      progress: (line) => lines.push(line),
      backOffMs: 20,
      maxBackOffMs: 40,
      launch: () => {
        launched += 1;
        failing -= 1;
        return launch({ entry: program, args: failing >= 0 ? ["--fail"] : [] });
      },
    });
    return part;
  };
  const runsAgain = async (before: number): Promise<number> => {
    for (;;) {
      try {
        const { pid } = part!.current();
        if (pid !== before) return pid;
      } catch {
        // Not yet.
      }
      await sleep(20);
    }
  };
  afterEach(() => part?.stop());

  it("comes back when it dies", async () => {
    const { pid, exited } = (await start()).current();
    process.kill(pid, "SIGKILL");
    await exited;
    await runsAgain(pid);
    expect(lines).toEqual(["program ended with SIGKILL; starting it again"]);
  });

  it("is tried again until it comes up", async () => {
    const { pid, exited } = (await start()).current();
    failing = 2;
    process.kill(pid, "SIGKILL");
    await exited;
    await runsAgain(pid);
    expect(launched).toBe(4);
    expect(lines.filter((line) => line.includes("ended before it was ready, with code 3"))).toHaveLength(2);
  });

  it("stays down when it is held, until it is started", async () => {
    const held = await start();
    const { pid } = held.current();
    await held.kill("SIGKILL");
    await sleep(100);
    expect(() => held.current()).toThrow("program is not running");
    expect(lines).toEqual([]);
    await Promise.all([held.start(), held.start()]);
    expect(held.current().pid).not.toBe(pid);
    expect(launched).toBe(2);
  });

  it("is another process after a restart", async () => {
    const restarted = await start();
    const { pid } = restarted.current();
    await restarted.restart();
    expect(restarted.current().pid).not.toBe(pid);
    await restarted.stop();
    await restarted.stop();
    expect(() => restarted.current()).toThrow("program is not running");
  });

  it("fails to start with what the program said", async () => {
    failing = 1;
    await expect(start()).rejects.toThrow("ended before it was ready, with code 3");
  });
});
