import type { ChainRow } from "../../../../src/core/chain/chainRow.ts";
import type { Verdict } from "../../../../src/core/chain/judge.ts";
import type { WorkItem } from "../../../../src/core/workItem.ts";
import type { Message, Run, World } from "./model.ts";

type Part = string | number | boolean | undefined;

/**
 * Text that is equal for worlds in which the same can happen: times relative to now (in the spans of the protocol), turns
 * relative to the row's, generations relative to the wanted one, nonces by order of appearance, workers in any order.
 */
export const fingerprint = (world: World, skewMs: number): string => {
  const baseTurn = world.row?.turn ?? Math.max(0, ...world.messages.map(({ item }) => item.turn ?? 0));
  const names = new Map<string, number>();
  const name = (text: string): number => {
    const known = names.get(text);
    if (known !== undefined) return known;
    names.set(text, names.size);
    return names.size - 1;
  };
  const time = (ms: number | undefined): Part => {
    if (ms === undefined || ms === 0) return ms;
    const aheadMs = ms - world.nowMs;
    return aheadMs < -skewMs ? "past" : spans.findLastIndex((span) => aheadMs > span);
  };
  const turn = (number: number): number => number - baseTurn;
  const generation = (number: number): number => number - world.generation;
  /** Nothing, a deletion or somebody else's are no generations. */
  const state = (number: number): Part => (number <= 0 ? `x${number}` : generation(number));

  const whose = (uid: string | undefined): Part => (uid ? uid === world.uid : "-");

  /** All continuations of past turns are alike: they end, or run because there is no row. */
  const isPast = ({ turn, nonce, cause }: WorkItem): boolean =>
    turn !== undefined &&
    (turn < baseTurn || (cause === "followUp" && hasRead(world.row) && nonce !== world.row.incarnation));
  const itemOf = (item: WorkItem): readonly Part[] => [
    ...(isPast(item) ? ["past"] : [item.cause, item.turn === undefined ? "-" : turn(item.turn)]),
    item.turn === undefined || isPast(item) ? "-" : name(item.nonce),
    item.cause === "change" ? generation(item.generation) : 0,
    item.cause === "change" ? item.inputs : "",
    item.cause === "change" ? whose(item.uid) : "",
    item.attempt,
    item.paused,
    item.listed,
  ];
  const rowOf = (row: ChainRow | undefined): readonly Part[] =>
    row === undefined
      ? ["none"]
      : [
          row.seen === undefined ? "-" : generation(row.seen.generation),
          row.seen?.inputs,
          whose(row.seen?.uid),
          whose(row.uid),
          turn(row.turn),
          name(row.incarnation),
          name(row.lease.nonce),
          time(row.lease.endMs),
          row.dirty,
          row.stop,
          row.why.observe,
          row.why.human,
          row.sent,
          ...(row.outbox === undefined || row.sent ? [] : [...itemOf(row.outbox.item), time(row.outbox.dueMs)]),
          time(row.dueMs),
          row.surroundings,
          row.defects,
          time(row.goneSinceMs),
        ];
  const verdictOf = (verdict: Verdict | undefined): readonly Part[] => {
    switch (verdict?.kind) {
      case undefined:
        return [];
      case "flush":
        return ["f", ...itemOf(verdict.outgoing.item), ...rowOf(verdict.row)];
      case "end":
        return ["e"];
      case "reschedule":
        return ["r", ...itemOf(verdict.outgoing.item), time(verdict.outgoing.dueMs)];
      case "defer":
        return ["d", ...itemOf(verdict.wake.item), time(verdict.wake.dueMs), ...rowOf(verdict.row)];
      case "run":
        return ["u", verdict.insert, verdict.takenOver, ...rowOf(verdict.row)];
    }
  };
  const runOf = (run: Run, worker: number): readonly Part[] => [
    run.phase,
    ...itemOf(run.item),
    world.messages.some(({ lockedBy }) => lockedBy === worker),
    run.skewMs,
    world.current === worker,
    ages.findIndex((age) => world.nowMs - run.startMs <= age),
    ...(hasVerdict.has(run.phase) ? verdictOf(run.verdict) : []),
    run.etag === world.etag,
    name(run.nonce),
    ...(hasRow.has(run.phase) ? rowOf(run.row) : []),
    ...(hasLease.has(run.phase) ? [turn(run.turnBefore), run.takenOver, run.losses === world.losses] : []),
    ...(hasLease.has(run.phase) && run.phase !== "gather"
      ? [
          run.lost,
          run.failed,
          whose(run.uid),
          generation(run.generation),
          run.inputs,
          run.paused,
          generation(run.known),
        ]
      : []),
    ...(hasLease.has(run.phase) && run.phase !== "gather"
      ? [time(run.goneSinceMs), run.unanswered, run.wants === 0 ? 0 : generation(run.wants)]
      : []),
    ...(hasLease.has(run.phase) && run.phase !== "gather" ? [run.observed, run.wrote, run.leftOver] : []),
  ];
  const messageOf = (message: Message): readonly Part[] => [
    ...itemOf(message.item),
    time(message.dueMs),
    message.lockedBy !== undefined,
  ];
  const live = new Set([world.row?.incarnation, world.row?.lease.nonce, ...world.workers.map((run) => run?.nonce)]);
  const budget = world.budget;

  return [
    rowOf(world.row).join(),
    world.ledger === undefined ? "-" : `${state(world.ledger.applied)},${state(world.ledger.intent)}`,
    state(world.azure),
    world.paused,
    world.pauseHeard,
    world.object,
    world.finalizer,
    world.forced,
    world.reborn,
    world.workers
      .flatMap((run, worker) => (run === undefined ? [] : [runOf(run, worker).join()]))
      .toSorted()
      .join("/"),
    world.messages
      .map((message) => messageOf(message).join())
      .toSorted()
      .join("/"),
    // Ids of past turns and of other nonces are never made again.
    world.known
      .filter(({ item }) => live.has(item.nonce) && (item.turn ?? 0) >= baseTurn)
      .map(({ item }) => `${name(item.nonce)}+${item.attempt}`)
      .join(),
    Object.values(budget).join(),
    world.switches,
    world.row === undefined && world.indexMs === undefined ? "unlisted" : time(world.indexMs),
    world.current !== undefined,
  ].join("|");
};

const hasRead = (row: ChainRow | undefined): row is ChainRow => row !== undefined && row.uid !== "";

/** Times are told apart as far as the protocol does, those ahead by the lengths that occur in it. */
const spans = [0, 1_000, 5_000, 30_000, 57_000, 120_000, 400_000] as const;
const ages = [30_000, 40_000, 60_000, Number.POSITIVE_INFINITY] as const;

const hasVerdict: ReadonlySet<Run["phase"]> = new Set([
  "flushSend",
  "flushMark",
  "reschedule",
  "deferWake",
  "deferFlag",
  "take",
]);
const hasLease: ReadonlySet<Run["phase"]> = new Set([
  "gather",
  "intend",
  "intendUnknown",
  "check",
  "write",
  "claim",
  "tell",
  "index",
  "commit",
  "commitUnknown",
  "empty",
  "emptyUnknown",
  "release",
  "dropIndex",
  "last",
  "lastUnknown",
  "remove",
]);
const hasRow: ReadonlySet<Run["phase"]> = new Set([...hasLease, "indexLate", "outboxSend", "outboxMark"]);

/** 53 bits of a text: enough that among a million states two meet by chance once in some ten thousand explorations. */
export const hash53 = (text: string): number => {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
};
