import type { Failure } from "../core/types.ts";
import type { WorkItem } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";
import { showFuture } from "./fromTheFuture.ts";
import { takeLease } from "./lease.ts";
import { nameOf } from "./logTurn.ts";
import { underLease } from "./underLease.ts";

/** What became of a message. */
export type TurnResult =
  | { readonly kind: "completed"; readonly result: string }
  /** No turn can ever handle it as it is: it goes to the queue of failed messages, with the reason. */
  | { readonly kind: "parked"; readonly failure: Failure }
  /** No table answers, no lease lasts, or a newer release wrote the row: the message is sent again later and completed. */
  | { readonly kind: "postponed"; readonly failure: Failure };

/** Leases that one message may lose before it is put off. */
const leasesLost = 3;

/** One message, one turn: judge, gather, plan, intend, act, tell, remember, send (design section 4). */
export const turn = async (item: WorkItem, deps: Deps, left = leasesLost): Promise<TurnResult> => {
  const kind = deps.kinds.get(item.kind);
  if (kind === undefined) return { kind: "parked", failure: unknownKind(item) };
  const kube = await deps.clusters.connect(item.cluster);
  if (!kube.ok) return { kind: "parked", failure: kube.error };
  const judged = await takeLease(item, deps);
  switch (judged.kind) {
    case "ended":
      deps.log("debug", "message ended", { ...nameOf(item), cause: item.cause, why: judged.why });
      return { kind: "completed", result: judged.why };
    case "failed":
      if (judged.failure.code === "RowFromTheFuture") await showFuture(item, kind, kube.value, judged.failure, deps);
      return { kind: "postponed", failure: judged.failure };
    case "held": {
      const { nonce, row } = judged.held;
      deps.log("debug", "lease taken", { ...nameOf(item), nonce, turn: row.turn, takenOver: judged.takenOver });
      const finished = await underLease({ item, taken: judged, kind, kube: kube.value }, deps);
      if (finished.kind !== "lost") return finished;
      deps.log("info", "lease lost", nameOf(item));
      // Who took the lease over may have died since: the message is judged again by what the row says now.
      // Rows that vanish under each of its turns were taken over by nobody: then this message is all there is.
      return left > 0 ? turn(item, deps, left - 1) : { kind: "postponed", failure: leaseLost };
    }
  }
};

const unknownKind = ({ kind }: WorkItem): Failure => ({
  kind: "badConfiguration",
  code: "UnknownKind",
  message: `kind ${kind} is not reconciled by this release`,
});

const leaseLost: Failure = {
  kind: "conflict",
  code: "LeaseLost",
  message: "one turn after another has lost the object's lease; the message is judged again later",
};
