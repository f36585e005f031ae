import { kinds } from "../../kinds/index.ts";
import type { ManifestObject } from "../manifest.ts";
import { fileObjects } from "./fileObjects.ts";
import type { ObjectPlan } from "./objectPlan.ts";
import { makePlans } from "./plan.ts";
import { withCluster } from "./subject.ts";

/** What Azure would be asked for if nothing of a manifest existed yet, one plan for each object of a reconciled kind. Asks nobody. */
export const plansFromNothing = (
  manifest: readonly ManifestObject[],
  subscriptionId: string | undefined,
  note: (line: string) => void,
): Promise<readonly ObjectPlan[]> => {
  const source = fileObjects(manifest);
  const objects = source.all.filter(({ kind }) => kinds.has(kind));
  const subject = withCluster({ objects, source }, note);
  const settings = subscriptionId === undefined ? {} : { subscriptionId };
  return makePlans(subject.objects, { kinds, source: subject.source, settings, progress: () => undefined }, note);
};
