import { idKey } from "../core/ids.ts";
import { unread, type Work, withItems } from "./work.ts";

/** What something waits for that names it is looked for each time, however lately it was found missing. */
export const withAwaitedUnread = (work: Work): Work => {
  const awaited = [...work.values()].flatMap(({ missing = [], state }) => (state?.kind === "failed" ? missing : []));
  return withItems(work, awaited.flatMap(({ id }) => work.get(idKey(id)) ?? []).map(unread));
};
