import type { Stack } from "../../src/sim/stack/stack.ts";
import type { Bench } from "./bench.ts";
import { chainOf } from "./chain.ts";
import { subnetsWith } from "./defaultCluster.ts";
import { eventually } from "./eventually.ts";
import type { Values } from "./figures.ts";
import { patchCluster } from "./patchCluster.ts";
import { quantile } from "./quantile.ts";

/** Twenty writes of one resource an hour are earned (design, section 7); more would be held. */
const changes = 15;

const firstWriteMs = async (stack: Stack, name: string, source: string): Promise<number> => {
  const before = (await stack.azure.requests()).length;
  const startMs = Date.now();
  await patchCluster(stack, name, { spec: { networkSpec: { subnets: subnetsWith(source) } } });
  const write = await eventually("the change reaches Azure", async () =>
    (await stack.azure.requests(before)).find(({ method }) => method !== "GET"),
  );
  return Date.parse(write.at) - startMs;
};

/** From a change of a rule's source in the spec until its first write arrives in Azure. */
export const firstWrite = async (bench: Bench): Promise<Values> => {
  const stack = await bench.stack();
  const { key } = await bench.cluster();
  const chain = chainOf(stack, key);
  const samples: number[] = [];
  bench.progress(`${changes} changes of a security rule`);
  for (let at = 0; at < changes; at += 1) {
    samples.push(await firstWriteMs(stack, key.name, `10.${at}.0.0/16`));
    await chain.settled();
  }
  bench.progress(`change to first write, ms: ${samples.join(" ")}`);
  return { changeToFirstWriteP50Ms: quantile(samples, 0.5) };
};
