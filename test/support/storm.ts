import { setImmediate } from "node:timers/promises";
import { limits } from "../../src/core/chain/limits.ts";
import type { Result } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { handle } from "../../src/engine/handle.ts";
import { type Call, intercept } from "./intercept.ts";
import { createLaws } from "./stormLaws.ts";
import type { World } from "./world.ts";

/** Dice that fall the same way for the same seed (mulberry32), between 0 and 1. */
export const diceOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A call that waits for its turn in the interleaving. */
interface Waiting {
  readonly handler: Handler;
  readonly go: () => void;
}

/** One message being handled by a function app that may die. */
export interface Handler {
  readonly nonces: Set<string>;
  readonly lockToken: string;
  dead: boolean;
}

export interface Storm {
  readonly handlers: readonly Handler[];
  /** Lets one of the waiting calls go on, or starts one more handler; false when there is nothing of either. */
  step(): Promise<boolean>;
  /** Time goes on until something is due, but no longer than this. */
  waitAtMost(ms: number): void;
  /** The process of this handler dies: its calls never come back. Its message comes back when its lock ends, or at once. */
  kill(handler: Handler, message?: "locked" | "abandoned"): void;
  /** The broker gives the message of this handler to another one too, while it is still at work. */
  loseLock(handler: Handler): void;
  /** Ports whose writes take effect, but answer only now and then. */
  readonly losing: Set<Call["port"]>;
  /** Until then Azure's reads may show what was there up to ten seconds ago. */
  staleUntilMs: number;
  /** Everything that is due within so long is handled to its end. */
  calm(horizonMs: number): Promise<void>;
  /** Everything in the tables is lost. A turn under way is then no longer fenced until its lease would have ended. */
  loseTables(): void;
  /** Laws that were broken, in words. */
  readonly broken: readonly string[];
}

/** How long a request is waited for: cut afterwards, as the adapters do. */
const patienceMs: Readonly<Record<Call["port"], number>> = { arm: 15_000, kube: 10_000, tables: 10_000, queue: 10_000 };
const cut = {
  ok: false,
  error: { kind: "transient", code: "OutcomeUnknown", message: "the request was cut" },
} as const satisfies Result<never>;

const most = 3;
/** How old a read of Azure may be at most while reads are stale. */
const staleMs = 10_000;

/**
 * Several handlers at once whose calls take effect in an order that the dice decide. Nobody may write to what is `foreign`
 * (ids in lower case).
 */
export const createStorm = (world: World, dice: () => number, foreign: ReadonlySet<string> = new Set()): Storm => {
  const handlers = new Set<Handler>();
  const waiting: Waiting[] = [];
  const laws = createLaws(world, foreign);
  const { clock, queue } = world;
  const losing = new Set<Call["port"]>();
  const shown = new Map<string, { readonly answer: unknown; readonly atMs: number }>();
  let staleUntilMs = 0;

  const gate = (handler: Handler): Promise<void> =>
    new Promise((go) => {
      if (!handler.dead) waiting.push({ handler, go });
    });

  /** A read of Azure, which may show what was there a moment ago. */
  const read = async <T>({ path }: Call, run: () => Promise<T>): Promise<T> => {
    const before = shown.get(path);
    const nowMs = clock.nowMs();
    if (nowMs < staleUntilMs && before !== undefined && nowMs - before.atMs < staleMs && dice() < 0.3)
      // The one cast: it is what this very request was answered with.
      return before.answer as T;
    const answer = await run();
    shown.set(path, { answer, atMs: nowMs });
    return answer;
  };

  const depsFor = (handler: Handler): Deps => {
    const around = async <T>(call: Call, run: () => Promise<T>): Promise<T> => {
      const startedMs = clock.nowMs();
      const isLate = (): boolean => clock.nowMs() - startedMs > patienceMs[call.port];
      const landed = laws.sent(handler, call, startedMs + patienceMs[call.port]);
      await gate(handler);
      landed();
      // The one cast: every port answers with a Result, and a failure fits any of them.
      if (isLate()) return cut as T;
      laws.arriving(handler, call);
      const answer = call.name === "arm GET" ? await read(call, run) : await run();
      const isLost = call.writes && losing.has(call.port) && dice() < 0.3;
      await gate(handler);
      return isLost || isLate() ? (cut as T) : answer;
    };
    const deps = intercept(world.deps, around);
    return {
      ...deps,
      nonce: () => {
        const nonce = deps.nonce();
        handler.nonces.add(nonce);
        return nonce;
      },
    };
  };

  const start = (): boolean => {
    // A broker that is down delivers nothing either.
    const delivery = handlers.size < most && world.faults.brokerDown !== true ? queue.receive() : undefined;
    if (delivery === undefined) return false;
    const handler: Handler = { nonces: new Set(), lockToken: delivery.lockToken, dead: false };
    handlers.add(handler);
    const end = (settle: () => unknown) => () => {
      if (!handler.dead) settle();
      handlers.delete(handler);
    };
    handle({ body: delivery.message.body, messageId: delivery.message.id }, depsFor(handler)).then(
      end(() => queue.reconcile.complete(clock.nowMs(), handler.lockToken)),
      end(() => queue.reconcile.abandon(clock.nowMs(), handler.lockToken)),
    );
    return true;
  };

  const release = (): boolean => {
    const [next] = waiting.splice(Math.floor(dice() * waiting.length), 1);
    if (next === undefined) return false;
    if (!next.handler.dead) next.go();
    return true;
  };

  const step = async (): Promise<boolean> => {
    const started = (waiting.length === 0 || dice() < 0.2) && start();
    const went = started || release() || start();
    // Everything that follows without a call happens at once.
    await setImmediate();
    for (const { lockToken, dead } of handlers) if (!dead) queue.reconcile.renew(clock.nowMs(), lockToken);
    return went;
  };

  const isBusy = (): boolean => [...handlers].some(({ dead }) => !dead);
  const nextMs = (): number | undefined => {
    const times = [clock.nextWakeMs(), queue.nextDueMs()].filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  };

  const calm = async (horizonMs: number): Promise<void> => {
    const endMs = clock.nowMs() + horizonMs;
    for (let idle = 0; ; ) {
      if (await step()) {
        idle = 0;
        continue;
      }
      idle += 1;
      // A schema that is loaded for the first time takes real time.
      if (isBusy() && clock.nextWakeMs() === undefined && idle < 1_000) continue;
      const next = nextMs();
      if (next === undefined || next > endMs) return;
      clock.advanceTo(next);
    }
  };

  return {
    get handlers() {
      return [...handlers];
    },
    step,
    kill: (handler, message = "locked") => {
      handler.dead = true;
      handlers.delete(handler);
      if (message === "abandoned") queue.reconcile.abandon(clock.nowMs(), handler.lockToken);
    },
    loseLock: ({ lockToken }) => void queue.reconcile.abandon(clock.nowMs(), lockToken),
    losing,
    get staleUntilMs() {
      return staleUntilMs;
    },
    set staleUntilMs(untilMs) {
      staleUntilMs = untilMs;
    },
    calm,
    waitAtMost: (ms) => clock.advanceTo(Math.min(clock.nowMs() + ms, nextMs() ?? Number.POSITIVE_INFINITY)),
    loseTables: () => {
      laws.unfencedUntil(clock.nowMs() + limits.leaseMs);
      world.tables.clear();
    },
    broken: laws.broken,
  };
};
