import { look } from "./observe.ts";
import { inPool, type Session } from "./session.ts";
import { readyItems, unread, type Work, withItems } from "./work.ts";

/**
 * The work after a lease was taken over: whatever the dead turn may have sent is looked at before anything is planned.
 * What is ready is looked at in the first wave anyway; this is for the rest, which may not be written yet.
 */
export const withOpenIntentsSeen = async (work: Work, session: Session): Promise<Work> => {
  const ready = new Set(readyItems(work));
  const open = [...work.values()].filter((item) => item.row.intent !== undefined && !ready.has(item));
  const looked = await inPool(open, (item) => look(item, { kind: "read" }, work, session));
  return withItems(
    work,
    // What is to be written, could not be read, or belongs to whom its parent belongs, is read again when its time comes.
    looked.map(({ item, write, late }, at) =>
      write === undefined && late !== true && item.state?.kind !== "failed" && item.ours !== false
        ? item
        : unread(open[at]!),
    ),
  );
};
