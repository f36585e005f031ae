import type { ResourceSchema } from "../wire/schema.ts";
import { foldIntent } from "./apply/foldIntent.ts";
import type { Known } from "./ownership.ts";
import type { Intent, ResourceRow } from "./resourceRow.ts";
import type { ServiceFacts } from "./runnableKind.ts";
import type { AppliedLeaf, JsonObject, Observed } from "./types.ts";

/** A resource as it was looked at, with what is needed to compare it with an intent. */
export interface Seen {
  readonly service: Pick<ServiceFacts, "ownership" | "rules">;
  readonly schema: ResourceSchema;
  readonly observed: Observed;
  /** It carries our owner tags. */
  readonly tagged: boolean;
}

const pathOf = ({ path }: AppliedLeaf): string => JSON.stringify(path);

/** Whether a body is the one that an unanswered creation meant: all that was asked for is there. */
const isAsIntended = ({ service, schema }: Seen, { applied }: Intent, body: JsonObject): boolean => {
  const standing = foldIntent(schema, service.rules, [], applied, body);
  const shown = new Set(standing.map(pathOf));
  return shown.size > 0 && applied.every((leaf) => leaf.mark === "default" || shown.has(pathOf(leaf)));
};

/**
 * Whose a resource is, told by an open intent: a creation that left our tag, or an untaggable thing with the body that
 * was meant, is ours (design section 4, step 4), and so is what an adoption put our tag on.
 */
export const knownAfterIntent = ({ known, intent }: ResourceRow, seen: Seen): Known => {
  const { observed, service, tagged } = seen;
  if (intent?.adopts === true && tagged) return "adopted";
  if (intent?.creating !== true || observed.kind === "absent") return known;
  const ours = service.ownership === "tag" ? tagged : isAsIntended(seen, intent, observed.body);
  return ours ? "created" : known;
};
