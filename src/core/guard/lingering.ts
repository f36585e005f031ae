import type { Circumstances } from "../circumstances.ts";
import type { ResourceRow } from "../resourceRow.ts";
import type { HeldWrite } from "./heldWrite.ts";
import { specWriters } from "./specWriters.ts";

/**
 * So long after a hold a contest over the spec still shows: it would come and go with each value that one of the two
 * happens to share with Azure.
 */
export const shownMs = 60 * 60_000;

/** Whether a person has let the guard go on since the row was written. */
export const isReleased = ({ released = "" }: Pick<ResourceRow, "released">, release: string): boolean =>
  release !== "" && release !== released;

/**
 * The contest over the spec that a resource is still in, whatever Azure shows of it now. It is over when somebody else
 * has the last word in the spec, when it is released, or when nothing had to be written for an hour although it might
 * have been.
 */
export const lingering = (
  row: Pick<ResourceRow, "held" | "released">,
  { managedFields = [], release }: Pick<Circumstances, "managedFields" | "release">,
  nowMs: number,
): HeldWrite | undefined => {
  const { held } = row;
  if (held?.reason !== "SpecContested" || nowMs >= held.untilMs + shownMs || isReleased(row, release)) return undefined;
  const [last] = specWriters(managedFields);
  return last === undefined || held.others.includes(last.name) ? held : undefined;
};
