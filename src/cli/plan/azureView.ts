import { idKey } from "../../core/ids.ts";
import type { Planned } from "../../core/runnableKind.ts";
import type { JsonObject, Observed } from "../../core/types.ts";

/** What is known of Azure when a plan is made. */
export interface AzureView {
  readonly observed: (id: string) => Observed;
  /** What carries the owner tag in the groups that were listed, as the lists have it. */
  readonly tagged: readonly JsonObject[];
  /** All that is in a resource group, as its list has it; empty for a group that was not listed. */
  readonly contentOf: (group: string) => readonly JsonObject[];
  /** Ids that other objects name, by `idKey(id)`; undefined when that could not be found out. */
  readonly namedByOthers: ReadonlySet<string> | undefined;
}

const absent: Observed = { kind: "absent" };

/** Azure as if nothing were there yet. */
export const emptyAzure: AzureView = Object.freeze({
  observed: () => absent,
  tagged: [],
  contentOf: () => [],
  namedByOthers: new Set<string>(),
});

/** Azure as if all that an object wants were there as it wants it, and nothing else. */
export const settledAzure = ({ services }: Planned): AzureView => {
  const bodies = new Map(
    services.flatMap(({ desired }) => desired.map(({ id, body }) => [idKey(id), { id, ...body }] as const)),
  );
  return {
    ...emptyAzure,
    observed: (id) => {
      const body = bodies.get(idKey(id));
      return body === undefined ? absent : { kind: "present", body };
    },
  };
};
