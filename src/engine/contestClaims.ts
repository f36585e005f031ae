import type { KubeContest } from "../core/guard/kubeWrites.ts";
import type { Claim } from "../core/types.ts";

/** Condition that is there only while somebody else changes what Capstan says in metadata or spec of the object. */
const condition = "OwnFieldsKept";

/** Says which of our fields somebody else will not have so. A fight over the status itself shows only in events. */
export const contestClaims = (
  contests: readonly KubeContest[],
): { readonly claims: readonly Claim[]; readonly retired: readonly string[] } => {
  const [first] = contests;
  if (first === undefined) return { claims: [], retired: [condition] };
  const message = contests.map((contest) => contest.message).join("; ");
  return {
    claims: [{ type: condition, status: "False", severity: "Warning", reason: first.reason, message }],
    retired: [],
  };
};
