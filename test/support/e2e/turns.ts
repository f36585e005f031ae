import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./manifests.ts";
import type { Scene } from "./scene.ts";

/** One line of the function app about a message: a turn that was run, or why there was none. */
export interface TurnLine {
  readonly message: "turn finished" | "message ended";
  readonly object: string;
  readonly kind: string;
  readonly cause: string;
  readonly result?: string;
  readonly why?: string;
  readonly wrote?: number;
}

const isTurnLine = (value: unknown): value is TurnLine =>
  typeof value === "object" &&
  value !== null &&
  "message" in value &&
  (value.message === "turn finished" || value.message === "message ended");

const parse = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
};

/** The lines of each process of the function app, in its order. */
export const linesOf = async ({ stack }: Scene): Promise<readonly (readonly string[])[]> => {
  const files = (await readdir(stack.logs)).filter((name) => /^functions(-\d+)?\.log$/.test(name)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(join(stack.logs, file), "utf8")));
  return texts.map((text) => text.split("\n"));
};

/** What the function app logged of one AzureCluster, oldest first. */
export const turnsOf = async (scene: Scene, { namespace, name }: Place): Promise<readonly TurnLine[]> =>
  (await linesOf(scene))
    .flat()
    .map(parse)
    .filter(isTurnLine)
    .filter(({ object, kind }) => kind === "AzureCluster" && object === `${namespace}/${name}`);

/** How often the function app ran its resync. */
export const resyncRuns = async (scene: Scene): Promise<number> =>
  (await linesOf(scene)).flat().filter((line) => line.includes('"resync finished"')).length;
