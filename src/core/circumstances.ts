import type { ManagedFields } from "./types.ts";

/**
 * Whether anything is written to Azure. `observe`: the difference is shown (`report-only`); `hold`: the same while a person
 * looks into it; `unclaimed`: the same while finalizer or annotations of ours do not stay on the object.
 */
export type Writing = "allowed" | "observe" | "hold" | "unclaimed";

/** What beside the plan a turn brings to the work: what the object and its surroundings say of how to go about it. */
export interface Circumstances {
  /** Who set which fields of the object, where the API server tells. */
  readonly managedFields?: readonly ManagedFields[];
  /** A person's last `retry`: a new value of it ends all back-offs. */
  readonly retry: string;
  /** Changes with the identity that is used and with its secret; ends back-offs of class `auth`. */
  readonly identity: string;
  /** What a new value of ends all holds of the loop guard. */
  readonly release: string;
  /** Untaggable children that the object itself says are ours, by `idKey(id)`. */
  readonly children: ReadonlySet<string>;
  /** Generation of the object as it was read. */
  readonly generation: number;
  /** Hash of all that the object depends on: uid, generation and what counts of each. */
  readonly dependencies: string;
  /** Ids that a person wants adopted, by `idKey(id)`. */
  readonly adopt: ReadonlySet<string>;
  /** Upstream's annotations of what was applied last, as they stand on the object. Default none. */
  readonly lastApplied?: Readonly<Record<string, string>>;
  /** An owner that is being deleted, in words (`Cluster default/demo`): then nothing is created any more. */
  readonly ancestorDeleting?: string;
  readonly writing: Writing;
}
