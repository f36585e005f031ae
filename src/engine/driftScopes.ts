import { parseId } from "../core/ids.ts";
import type { IndexRow } from "./indexRow.ts";

/** What is asked in one query: Azure answers an identity only with what it may read. */
export interface DriftScope {
  /** In lower case. */
  readonly subscription: string;
  readonly identity: string;
  /** Objects that have something there and ask with this identity. */
  readonly objects: readonly IndexRow[];
}

/** The subscriptions in which objects own something, as the index tells without a read a resource. */
export const driftScopes = (rows: readonly IndexRow[]): readonly DriftScope[] => {
  const scopes = new Map<string, { subscription: string; identity: string; objects: IndexRow[] }>();
  for (const row of rows) {
    const { resources = [], identity = "" } = row;
    const subscriptions = new Set(resources.flatMap((id) => parseId(id)?.subscription?.toLowerCase() ?? []));
    for (const subscription of subscriptions) {
      const key = `${subscription}~${identity}`;
      const scope = scopes.get(key) ?? { subscription, identity, objects: [] };
      scope.objects.push(row);
      scopes.set(key, scope);
    }
  }
  return [...scopes.values()];
};
