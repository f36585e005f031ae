import type { KubeEvent } from "../core/kubeEvent.ts";
import type { KubeObject } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import type { Deps } from "./deps.ts";

/** Of one kind in one turn; what is more stands in conditions and history. */
const mostAtOnce = 10;

/** Tells what happened to an object, for `kubectl describe`: best effort, no failure here is one of the turn. */
export const tellEvents = async (
  object: KubeObject,
  events: readonly Omit<KubeEvent, "atMs">[],
  { kube, deps }: { readonly kube: Kube; readonly deps: Pick<Deps, "tables" | "log"> },
): Promise<void> => {
  const atMs = deps.tables.nowMs() ?? 0;
  for (const event of events.slice(0, mostAtOnce)) {
    const told = await kube.event(object, { ...event, atMs });
    if (!told.ok) return deps.log("debug", "event not told", { reason: event.reason, code: told.error.code });
  }
};
