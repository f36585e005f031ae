import { mayCallAzure, mayWriteKube as mayStillWrite } from "../core/chain/limits.ts";
import type { Circumstances } from "../core/circumstances.ts";
import type { View } from "../core/opening.ts";
import type { KubeObject, Result, Tags } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import type { Deps } from "./deps.ts";

/** What the steps of one turn share. */
export interface Session {
  readonly deps: Deps;
  readonly arm: Arm;
  readonly ownerTags: Tags;
  /** Of the message; recorded with every intent. */
  readonly cause: string;
  readonly observe: boolean;
  /** Every resource with an open intent is looked at before anything is planned. */
  readonly takenOver: boolean;
  readonly circumstances: Circumstances;
  /** Of the turn's lease: names its probes. */
  readonly nonce: string;
  /** Monotonic start of the turn's own clock. */
  readonly startedMs: number;
  /** Writes on the object that these ids are about to become untaggable children of ours under a foreign parent. */
  readonly claimChildren: (object: KubeObject, ids: readonly string[]) => Promise<Result<KubeObject>>;
}

/** Table-service time, by which everything stored is dated. */
export const nowOf = ({ deps }: Pick<Session, "deps">): number => deps.tables.nowMs() ?? 0;

/** The api-version of a service's resource type. */
export const apiVersionOf = async (
  { service }: { readonly service: { readonly type: string } },
  { deps }: Pick<Session, "deps">,
): Promise<string> => (await deps.schema(service.type)).apiVersion;

export const viewOf = (session: Session): View => ({
  nowMs: nowOf(session),
  observe: session.observe,
  takenOver: session.takenOver,
  freshMs: session.deps.settings.driftPeriodMs,
  impatient: session.cause === "replay",
});

interface Aging {
  readonly deps: Pick<Deps, "clock">;
  readonly startedMs: number;
}

const elapsedMs = ({ deps, startedMs }: Aging): number => deps.clock.monotonicMs() - startedMs;

/** Whether a request to Azure may still be started. */
export const mayAskAzure = (turn: Aging): boolean => mayCallAzure(elapsedMs(turn));

/** Whether a write to the API server may still be started. */
export const mayWriteKube = (turn: Aging): boolean => mayStillWrite(elapsedMs(turn));

const atOnce = 8;

/** Runs over all, at most eight at a time, and keeps their order. */
export const inPool = async <In, Out>(
  inputs: readonly In[],
  run: (input: In) => Promise<Out>,
): Promise<readonly Out[]> => {
  const results = new Map<number, Out>();
  const queue = inputs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, input] of queue) results.set(index, await run(input));
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, inputs.length) }, worker));
  return inputs.map((_, index) => results.get(index)!);
};
