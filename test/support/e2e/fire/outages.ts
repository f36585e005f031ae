import { setTimeout as sleep } from "node:timers/promises";
import type { Part } from "../../../../src/sim/stack/part.ts";
import type { Scene } from "../scene.ts";

/** Something of the surroundings fails, and works again when the promise resolves. Answers what it was, in words. */
type Outage = (scene: Scene, dice: () => number) => Promise<string>;

const dieAndCome = async (part: Part | undefined, awayMs: number): Promise<void> => {
  await part?.kill("SIGKILL");
  await sleep(awayMs);
  await part?.start();
};

const freeze = async (part: Part, ms: number): Promise<void> => {
  const running = part.current();
  running.kill("SIGSTOP");
  await sleep(ms);
  running.kill("SIGCONT");
};

/** The function app's processes, all of them. */
export const appsOf = ({ stack }: Scene): readonly Part[] => [stack.functions, ...stack.moreFunctions];

const oneApp = (scene: Scene, dice: () => number): Part => {
  const apps = appsOf(scene);
  return apps[Math.floor(dice() * apps.length)]!;
};

const outages: readonly Outage[] = [
  async ({ stack }, dice) => {
    await dieAndCome(stack.broker, dice() * 2_000);
    return "the broker dies";
  },
  async ({ stack }, dice) => {
    await stack.controlPlane.stopApiServer();
    await sleep(dice() * 3_000);
    await stack.controlPlane.startApiServer();
    return "the API server is away";
  },
  async (scene, dice) => {
    await dieAndCome(oneApp(scene, dice), dice() * 1_000);
    return "one function app dies";
  },
  async (scene, dice) => {
    await Promise.all(appsOf(scene).map((app) => dieAndCome(app, dice() * 1_000)));
    return "all function apps die";
  },
  async ({ stack }, dice) => {
    await dieAndCome(stack.watcher, dice() * 2_000);
    return "the watcher dies";
  },
  async (scene, dice) => {
    await freeze(oneApp(scene, dice), 2_000 + dice() * 4_000);
    return "one function app stands still";
  },
  async ({ stack }, dice) => {
    // The apps wait ten seconds for an answer.
    await freeze(stack.tables, 2_000 + dice() * 10_000);
    return "the tables stand still";
  },
];

const shuffled = <T>(values: readonly T[], dice: () => number): readonly T[] =>
  values
    .map((value) => [dice(), value] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, value]) => value);

/** Each outage once, in an order that the dice decide, with a moment between them. */
export const allOutages = async (scene: Scene, dice: () => number, note: (words: string) => void): Promise<void> => {
  for (const outage of shuffled(outages, dice)) {
    await sleep(dice() * 3_000);
    note(await outage(scene, dice));
  }
};

/** A process of the function app, or all of them, killed; they come back at once. */
export const killApps = async (scene: Scene, dice: () => number): Promise<void> => {
  const all = appsOf(scene);
  const chosen = dice() < 0.5 ? all : [oneApp(scene, dice)];
  await Promise.all(chosen.map((app) => dieAndCome(app, 0)));
};
