import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "../../src/sim/stack/stack.ts";
import type { Bench } from "./bench.ts";
import { chainOf } from "./chain.ts";
import { eventually } from "./eventually.ts";
import type { Values } from "./figures.ts";

/** Turns that a resync caused, as the function app logged them; a resync that meets a running turn comes as a wake. */
const resyncTurns = async (stack: Stack): Promise<number> => {
  const lines = (await readFile(join(stack.logs, "functions.log"), "utf8")).split("\n");
  return lines.filter((line) => /"turn finished".*"cause":"(resync|wake)"/.test(line)).length;
};

/** A wake waits for the end of the lease that the resync met. */
const afterLeaseMs = 90_000;

/** Calls to Azure in the hourly resync of the settled default cluster: the timer's own function, started by hand. */
export const resyncCalls = async (bench: Bench): Promise<Values> => {
  const stack = await bench.stack();
  const { key } = await bench.cluster();
  const before = (await stack.azure.requests()).length;
  const turns = await resyncTurns(stack);
  bench.progress("resync of the settled cluster");
  await stack.functions.current().invokeAdmin("resync");
  const ran = async (): Promise<true | undefined> => ((await resyncTurns(stack)) > turns ? true : undefined);
  await eventually("the resync has run a turn", ran, afterLeaseMs);
  await chainOf(stack, key).settled();
  return { resyncArmCalls: (await stack.azure.requests(before)).length };
};
