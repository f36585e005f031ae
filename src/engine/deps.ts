import type { Fact, FactQuery } from "../core/kind.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { Result } from "../core/types.ts";
import type { Arm, Azure, Clock, Clusters, Log, Nonce, Tables, WorkQueue } from "../ports.ts";
import type { ResourceSchema } from "../wire/schema.ts";
import type { SharedCache } from "./shared/sharedCache.ts";
import type { Throttle } from "./throttle/throttle.ts";

/** What is looked up in Azure and kept for a while; a port of its own so that its cache outlives a turn. */
export interface Facts {
  /**
   * `arm`: what a look-up is made with, if it comes to one. `patienceMs`: how long the caller waits for one that runs;
   * default: to its end. Failure code, beside Azure's own: `NoAnswer`.
   */
  get(query: FactQuery, arm: Arm, patienceMs?: number): Promise<Result<Fact>>;
}

/** Everything a turn uses of the world, built once by the composition root. */
export interface Deps {
  readonly azure: Azure;
  readonly clusters: Clusters;
  readonly tables: Tables;
  readonly queue: WorkQueue;
  readonly clock: Clock;
  readonly nonce: Nonce;
  /** Between 0 and 1, for jitter. */
  readonly random: () => number;
  readonly log: Log;
  readonly facts: Facts;
  /** What this instance knows of the limits of Azure; outlives a turn. */
  readonly throttle: Throttle;
  /** What this instance has read of waits that objects share; outlives a turn. */
  readonly shared: SharedCache;
  readonly kinds: ReadonlyMap<string, RunnableKind>;
  /** The wire schema of a resource type, loaded when first needed. */
  readonly schema: (resourceType: string) => Promise<ResourceSchema>;
  readonly settings: Settings;
}

export interface Settings {
  /** uids of the registered management clusters. */
  readonly clusters: readonly string[];
  /** Only objects with label `cluster.x-k8s.io/watch-filter` of this value; absent: all. */
  readonly watchFilter?: string;
  /** For objects that name no subscription. */
  readonly subscriptionId?: string;
  /** How long a settled object is left alone, in ms. Default of the composition root: one day. */
  readonly driftPeriodMs: number;
}
