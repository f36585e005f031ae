import { addressOf, type WorkItem } from "../../src/core/workItem.ts";
import { key } from "./defaultCluster.ts";
import { clusterUid } from "./world.ts";

/** A message that says that the cluster of `applyDefaultCluster` has changed. */
export const doorbellOfC1: WorkItem = {
  v: 1,
  ...addressOf({ cluster: clusterUid, ...key }),
  uid: "u",
  generation: 1,
  inputs: "",
  paused: false,
  deleting: false,
  attempt: 0,
  nonce: "n",
  cause: "change",
  sentAt: "2026-01-01T00:00:00Z",
};
