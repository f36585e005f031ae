import { setTimeout as sleep } from "node:timers/promises";
import { apiVersionOf, infrastructureKinds } from "../../src/api/registry.ts";
import type { ApiClient } from "../../src/sim/controlPlane/apiClient.ts";
import { eventually } from "./e2e/eventually.ts";

const everyMs = 1_000;

interface Listed {
  readonly items: readonly {
    readonly metadata: {
      readonly namespace: string;
      readonly name: string;
      readonly generation: number;
      readonly resourceVersion: string;
    };
  }[];
}

/** `generation/resourceVersion` of every object of Capstan's kinds, by kind, namespace and name. */
export type Versions = Readonly<Record<string, string>>;

export const versions = async (api: ApiClient): Promise<Versions> => {
  const lists = infrastructureKinds.map(async (entry) => {
    const { items } = await eventually(`a list of ${entry.plural}`, async () => {
      const { status, body } = await api.send({ path: `/apis/${apiVersionOf(entry)}/${entry.plural}` });
      // The first who asks for a kind is told to come again.
      if (status !== 200) throw new Error(`${status} ${body}`);
      // The one cast: the API server's own form.
      return JSON.parse(body) as Listed;
    });
    return items.map(({ metadata: { namespace, name, generation, resourceVersion } }) => [
      `${entry.kind} ${namespace}/${name}`,
      `${generation}/${resourceVersion}`,
    ]);
  });
  return Object.fromEntries((await Promise.all(lists)).flat()) as Versions;
};

const changesBetween = (before: Versions, after: Versions): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? "absent"} -> ${after[name] ?? "absent"}`);

/** Watches for this long, calling `poke` every ten seconds, and returns every change that it saw. */
export const changesWithin = async (
  api: ApiClient,
  seconds: number,
  poke: (turn: number) => Promise<unknown> = () => Promise.resolve(),
): Promise<readonly string[]> => {
  const changes: string[] = [];
  let last = await versions(api);
  for (let second = 0; second < seconds; second += 1) {
    if (second % 10 === 0) await poke(second / 10);
    await sleep(everyMs);
    const now = await versions(api);
    changes.push(...changesBetween(last, now));
    last = now;
  }
  return changes;
};

/** Waits until nothing has changed for ten seconds. Fails after two minutes with the last changes. */
export const settle = async (api: ApiClient): Promise<void> => {
  let changes: readonly string[] = ["nothing was looked at"];
  for (let tries = 0; tries < 12; tries += 1) {
    changes = await changesWithin(api, 10);
    if (changes.length === 0) return;
  }
  throw new Error(`still changing: ${changes.join("; ")}`);
};
