import { type ChainRow, newRow } from "../../../../src/core/chain/chainRow.ts";
import type { Address, WorkItem } from "../../../../src/core/workItem.ts";

export const address: Address = { cluster: "mgmt", kind: "AzureCluster", namespace: "default", name: "demo" };

/** Some moment of the table service's time. */
export const now = Date.UTC(2026, 0, 1);

export const anItem = (overrides: Partial<WorkItem> = {}): WorkItem => ({
  v: 1,
  ...address,
  uid: "u1",
  generation: 1,
  inputs: "i1",
  paused: false,
  deleting: false,
  attempt: 0,
  nonce: "n",
  cause: "change",
  sentAt: "2026-01-01T00:00:00.000Z",
  ...overrides,
});

/** A settled row: turn 5 was committed, its follow-up sent, due in an hour. */
export const aRow = (overrides: Partial<ChainRow> = {}): ChainRow => ({
  ...newRow("inc"),
  uid: "u1",
  seen: { uid: "u1", generation: 1, inputs: "i1" },
  turn: 5,
  lease: { nonce: "old", endMs: 0 },
  why: { observe: false, human: false },
  dueMs: now + 3_600_000,
  ...overrides,
});
