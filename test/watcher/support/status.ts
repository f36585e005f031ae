import { newKindStatus } from "../../../src/watcher/kindStatus.ts";
import type { WatcherStatus } from "../../../src/watcher/watcherStatus.ts";

type Kind = WatcherStatus["kinds"][number];

/** The status of a kind that is watched and known. */
export const watching = (parts: Partial<Kind>): Kind => ({
  ...newKindStatus("AzureCluster", 0),
  phase: "watching",
  synced: true,
  objects: 0,
  ...parts,
});

export const aStatus = ({
  outbox = {},
  ...parts
}: Partial<Omit<WatcherStatus, "outbox">> & { readonly outbox?: Partial<WatcherStatus["outbox"]> }): WatcherStatus => ({
  nowMs: 0,
  kinds: [watching({ progressMs: parts.nowMs ?? 0 })],
  opened: true,
  unannounced: 0,
  ...parts,
  outbox: { size: 0, sent: 0, failed: 0, answeredMs: 0, ...outbox },
});
