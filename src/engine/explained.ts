import type { ResourceRow } from "../core/resourceRow.ts";
import type { Change, JsonObject, ResourceId } from "../core/types.ts";

/** One write to Azure, as history tells it: which fields, from what to what, who caused it. Secrets are blanked. */
export interface Explained {
  readonly id: ResourceId;
  readonly method: string;
  readonly cause: string;
  readonly creating: boolean;
  readonly changes: readonly Change[];
}

/** From the intent that was stored before the write was sent. */
export const explained = ({ id, intent }: ResourceRow): readonly Explained[] => {
  if (intent === undefined) return [];
  const { method, cause, creating, changes } = intent;
  return [{ id, method, cause, creating, changes }];
};

const mostChanges = 50;

/** As much of it as a history row takes. */
export const told = (writes: readonly Explained[]): readonly JsonObject[] =>
  writes.map(({ id, method, cause, creating, changes }) => ({
    id,
    method,
    cause,
    creating,
    changes: changes.slice(0, mostChanges).map(({ path, from, to, effect }) => ({ path, from, to, effect })),
    ...(changes.length > mostChanges && { more: changes.length - mostChanges }),
  }));
