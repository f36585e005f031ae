import { afterUnknownWrite, beforeWave, commit, commitAnew } from "../../../../src/core/chain/commit.ts";
import { afterUnknownRemoval, gone, lastRow } from "../../../../src/core/chain/gone.ts";
import { judge } from "../../../../src/core/chain/judge.ts";
import { mayCallAzure, mayWriteKube } from "../../../../src/core/chain/limits.ts";
import type { Protocol } from "./model.ts";

/** The protocol as it is. */
export const protocol: Protocol = {
  judge,
  commit,
  commitAnew,
  afterUnknownWrite,
  beforeWave,
  idOf: ({ messageId }) => messageId,
  mayCallAzure,
  mayWriteKube,
  gone,
  lastRow,
  afterUnknownRemoval,
  fenced: { take: true, flag: true, mark: true, commit: true, remove: true },
  readsAfterUnknown: true,
  judgesAfterStop: true,
  claimsFirst: true,
  intendsFirst: true,
  observes: ({ takenOver, ledger, observe }) => takenOver || observe || ledger === undefined || ledger.intent !== 0,
  indexes: "beforeCommit",
  whenSilent: "copyAndComplete",
  abandonsUnsent: true,
  leaves: "emptyFirst",
};
