import { groupIn, type Item, unread, type Work, withItems } from "./work.ts";

/**
 * A write that was refused because its resource group does not exist tells more of the group than of the resource: a group
 * that counts as settled and was not read since is read now. Whether it is lost is decided there.
 */
export const withGroupsInDoubt = (work: Work, sinceMs: number): Work => {
  const groups = [...work.values()].flatMap((item): readonly Item[] => {
    const refused = item.state?.kind === "failed" && item.row.backoff?.failure.code === "ResourceGroupNotFound";
    const group = refused ? groupIn(work, item) : undefined;
    if (group?.state?.kind !== "done" || group.row.observedAtMs >= sinceMs) return [];
    const { state: _, ...rest } = group;
    return [unread(rest)];
  });
  return groups.length === 0 ? work : withItems(work, groups);
};
