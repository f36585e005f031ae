import { setTimeout as sleep } from "node:timers/promises";
import type { Exit } from "../process/launch.ts";

/** One running program of the stack, as its starter gives it. */
export interface Running {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): boolean;
  stop(): Promise<Exit>;
}

/** A program of the stack that comes back when it dies, unless it is held down. */
export interface Part<Program extends Running = Running> {
  /** The program as it runs now. Throws when it does not. */
  current(): Program;
  /** Ends it with a signal and holds it down until `start`; resolves when it is gone. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Ends it in its own time and holds it down. */
  stop(): Promise<void>;
  /** Lets it run again; resolves when it is ready. Does nothing when it runs. */
  start(): Promise<void>;
  restart(): Promise<void>;
  /** From now on it is not brought back; it may go on running. For the moment before everything is stopped. */
  hold(): void;
}

export interface PartOptions<Program extends Running> {
  readonly name: string;
  readonly launch: () => Promise<Program>;
  readonly progress: (line: string) => void;
  /** Before the first attempt to bring it back, doubling up to `maxBackOffMs`. Default 500. */
  readonly backOffMs?: number;
  /** Default 10 000. */
  readonly maxBackOffMs?: number;
}

const describeExit = ({ code, signal }: Exit): string => (signal === null ? `status ${code}` : signal);

/** Starts a program and brings it back, with a growing back-off, whenever it ends by itself. */
export const startPart = async <Program extends Running>(options: PartOptions<Program>): Promise<Part<Program>> => {
  const { name, launch, progress, backOffMs = 500, maxBackOffMs = 10_000 } = options;
  let program: Program | undefined;
  let held = false;
  let starting: Promise<void> | undefined;

  const launchOnce = async (): Promise<void> => {
    const launched = await launch();
    program = launched;
    void launched.exited.then((exit) => {
      if (program === launched) program = undefined;
      if (!held) void bringBack(describeExit(exit));
    });
  };
  /** Of several who want it started, one starts it. */
  const ensure = (): Promise<void> => {
    starting ??= (program === undefined ? launchOnce() : Promise.resolve()).finally(() => {
      starting = undefined;
    });
    return starting;
  };
  const bringBack = async (how: string): Promise<void> => {
    for (let waitMs = backOffMs; !held; waitMs = Math.min(waitMs * 2, maxBackOffMs)) {
      await sleep(waitMs, undefined, { ref: false });
      if (held || program !== undefined) return;
      progress(`${name} ended with ${how}; starting it again`);
      const why = await ensure().then(
        () => undefined,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      if (why === undefined) return;
      progress(`${name}: ${why}`);
    }
  };
  const end = async (how: (running: Program) => unknown): Promise<void> => {
    held = true;
    await starting?.catch(() => undefined);
    const running = program;
    if (running === undefined) return;
    how(running);
    await running.exited;
  };
  const start = (): Promise<void> => {
    held = false;
    return ensure();
  };

  await ensure();
  return {
    current: () => {
      if (program === undefined) throw new Error(`${name} is not running`);
      return program;
    },
    kill: (signal) => end((running) => running.kill(signal)),
    stop: () => end((running) => running.stop()),
    start,
    hold: () => {
      held = true;
    },
    restart: async () => {
      await end((running) => running.stop());
      await start();
    },
  };
};
