import type { Tags } from "./types.ts";

/** What the ledger or the object's annotation says of a resource. */
export type Known = "created" | "adopted" | "seenUnmanaged" | "nothing";

/** `ownershipLost`: ours once, but the tag was taken off: kept, never written or deleted. */
export type Verdict = "ours" | "unmanaged" | "ownershipLost";

/** What decides whose a resource is. */
export interface OwnershipFacts {
  /** Whether the resource type can carry our owner tag. */
  readonly taggable: boolean;
  readonly hasOurTag: boolean;
  readonly known: Known;
  /** Whether the resource that this one lives in is ours; of no meaning for taggable types. */
  readonly parentOurs: boolean;
  /** Only for a role assignment that the spec names: whether its principal is ours. Default false. */
  readonly principalOurs?: boolean;
}

const ownerTagPrefix = "sigs.k8s.io_cluster-api-provider-azure_cluster_";

/** Name of the tag that marks what belongs to a cluster; upstream's spelling, which existing clusters carry. */
export const ownerTag = (clusterName: string): string => `${ownerTagPrefix}${clusterName}`;

/** Value of the owner tag. */
export const ownerTagValue = "owned";

/** Another cluster's owner tag among these tags; undefined when there is none. `ours` are the owner tags of this one. */
export const foreignOwnerTag = (tags: Readonly<Record<string, unknown>>, ours: Tags): string | undefined => {
  const own = new Set(Object.keys(ours).map((name) => name.toLowerCase()));
  return Object.keys(tags).find(
    (name) =>
      name.toLowerCase().startsWith(ownerTagPrefix) && !own.has(name.toLowerCase()) && tags[name] === ownerTagValue,
  );
};

const taggableVerdict = ({ hasOurTag, known }: OwnershipFacts): Verdict => {
  switch (known) {
    case "created":
    case "adopted":
      return hasOurTag ? "ours" : "ownershipLost";
    case "seenUnmanaged":
      return "unmanaged";
    case "nothing":
      return hasOurTag ? "ours" : "unmanaged";
  }
};

const untaggableVerdict = ({ known, parentOurs, principalOurs = false }: OwnershipFacts): Verdict => {
  switch (known) {
    case "created":
    case "adopted":
      return "ours";
    case "seenUnmanaged":
    case "nothing":
      return parentOurs || principalOurs ? "ours" : "unmanaged";
  }
};

/** Whose a resource that exists is (design section 6): only what is `ours` may be written or deleted. */
export const ownership = (facts: OwnershipFacts): Verdict =>
  facts.taggable ? taggableVerdict(facts) : untaggableVerdict(facts);
