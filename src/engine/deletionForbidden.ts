import { annotations } from "../core/annotations.ts";
import type { KubeObject } from "../core/types.ts";

/** Why nothing of a deleted object may be deleted in Azure; undefined when it may. Whoever asks for no writes gets none. */
export const deletionForbidden = ({ metadata }: Pick<KubeObject, "metadata">): string | undefined => {
  const name = [annotations.hold, annotations.reportOnly].find((one) => metadata.annotations[one] !== undefined);
  return name === undefined ? undefined : `nothing is deleted until annotation ${name} is taken off`;
};
