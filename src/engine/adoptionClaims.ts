import { annotations } from "../core/annotations.ts";
import type { Circumstances } from "../core/circumstances.ts";
import type { Claim } from "../core/types.ts";
import type { Work } from "./work.ts";

/** Condition that is there only while adoption is asked for in vain. */
const condition = "AdoptionPossible";

/** Says which ids that a person wants adopted are not among what the object wants. */
export const adoptionClaims = (
  work: Work,
  { adopt }: Circumstances,
): { readonly claims: readonly Claim[]; readonly retired: readonly string[] } => {
  const unknown = [...adopt].filter((id) => !work.has(id)).toSorted();
  if (unknown.length === 0) return { claims: [], retired: [condition] };
  const message = `annotation ${annotations.adopt} names what this object does not want: ${unknown.join(", ")}`;
  return {
    claims: [{ type: condition, status: "False", severity: "Warning", reason: "AdoptionNotWanted", message }],
    retired: [],
  };
};
