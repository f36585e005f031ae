import { claimChildren } from "./claim.ts";
import type { Session } from "./session.ts";
import type { Turning } from "./turning.ts";

/** What a turn shares with its steps: of its own, and what was found out on the way. */
export const openSession = (
  { deps, kind, kube, item, startedMs, takenOver, held }: Turning,
  found: Pick<Session, "arm" | "ownerTags" | "observe" | "circumstances">,
): Session => ({
  ...found,
  deps,
  cause: item.cause,
  takenOver,
  startedMs,
  nonce: held.nonce,
  claimChildren: (object, ids) => claimChildren(object, kind.finalizer, ids, kube),
});
