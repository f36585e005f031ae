import type { Scene } from "./scene.ts";

/** The watcher's own numbers, by name without prefix and with labels: `doorbells_total{result="sent"}`. */
export const watcherNumbers = async ({ stack }: Scene): Promise<ReadonlyMap<string, number>> => {
  const port = stack.watcher?.current().healthPort;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const samples = text.split("\n").flatMap((line) => {
    const [, name, value] = /^capstan_watcher_(\S+) (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, Number(value)] as const];
  });
  return new Map(samples);
};
