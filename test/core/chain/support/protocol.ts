import { afterUnknownWrite, beforeWave, commit, commitAnew } from "../../../../src/core/chain/commit.ts";
import { judge } from "../../../../src/core/chain/judge.ts";
import { mayCallAzure } from "../../../../src/core/chain/limits.ts";
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
  fenced: { take: true, flag: true, mark: true, commit: true },
  readsAfterUnknown: true,
  judgesAfterStop: true,
};
