import { newRow } from "../core/chain/chainRow.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { Claim, Failure } from "../core/types.ts";
import { addressOf, keyOf, type WorkItem } from "../core/workItem.ts";
import type { Kube } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { partitionOf } from "./ledger.ts";
import { tellStatus } from "./tell.ts";

/** While a release is rolled out the next try may meet the newer one: only then does the object say so. */
const attemptsBeforeShown = 5;
/** Pause between tries once it is shown, in ms. */
const slowMs = 5 * 60_000;

/** Whether a message for a row of a newer release has waited long enough to be told and slowed down. */
export const isShown = ({ attempt }: Pick<WorkItem, "attempt">): boolean => attempt >= attemptsBeforeShown;

/** How long the message waits at least, in ms; 0: as its attempts say. */
export const futurePauseMs = (item: Pick<WorkItem, "attempt">, { code }: Failure): number =>
  code === "RowFromTheFuture" && isShown(item) ? slowMs : 0;

/**
 * A newer release has written the object's row, and this one leaves it alone: nothing is done, and the object says why.
 * Best effort, without a lease: whoever can read the row has it, and says something else when it takes a turn.
 */
export const showFuture = async (
  item: WorkItem,
  { summary }: RunnableKind,
  kube: Kube,
  failure: Failure,
  deps: Deps,
): Promise<void> => {
  if (!isShown(item)) return;
  const read = await kube.get(keyOf(item));
  if (!read.ok) return deps.log("warn", "row of a newer release not shown", { code: read.error.code });
  const claim: Claim = {
    type: summary,
    status: "False",
    severity: "Warning",
    reason: "RowFromTheFuture",
    message: `${failure.message}; nothing is done until a release that reads it runs`,
  };
  const address = addressOf(item);
  const nobody = { address, partition: partitionOf(item.cluster, item), nonce: "", row: newRow(""), etag: "" };
  const told = await tellStatus(read.value, {}, [claim], { kube, deps, held: nobody });
  if (!told.ok) deps.log("warn", "row of a newer release not shown", { code: told.error.code });
};
