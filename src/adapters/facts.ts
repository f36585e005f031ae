import { isHeldBack } from "../core/heldBack.ts";
import type { Fact, FactQuery } from "../core/kind.ts";
import type { Failure, Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { before } from "./before.ts";
import { lookUpZoneLinks } from "./zoneLinksFact.ts";
import { lookUpZones } from "./zonesFact.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** After a failed look-up the stale answer serves for so long before Azure is asked again. */
const retryMs = 5 * 60 * 1000;

interface Kept {
  readonly fact: Fact;
  readonly untilMs: number;
}

const lookUp = (query: FactQuery, arm: Arm): Promise<Result<Fact>> => {
  switch (query.kind) {
    case "zones":
      return lookUpZones(query, arm);
    case "zoneLinks":
      return lookUpZoneLinks(query, arm);
  }
};

/** Zones change once in years; links are asked for only while one is about to be made, and then as they are. */
const freshMs: Readonly<Record<Fact["kind"], number>> = { zones: dayMs, zoneLinks: 0 };

const keyOf = (query: FactQuery): string => JSON.stringify(query).toLowerCase();

/** It says something of who asked, not of what was asked for: another one may have an answer. */
const isOfAsker = (failure: Failure): boolean =>
  failure.code === "TurnTooLong" || failure.kind === "auth" || isHeldBack(failure);

const notWaitedFor: Result<never> = {
  ok: false,
  error: {
    kind: "transient",
    code: "NoAnswer",
    message: "the look-up of facts in Azure takes longer than the turn has",
  },
};

/**
 * The engine's facts from Azure, kept as long as they are good for; a stale one serves while Azure cannot be asked. Who asks for the same at
 * once waits for one look-up; that goes on when one of them gives up.
 */
export class AzureFacts {
  readonly #kept = new Map<string, Kept>();
  readonly #running = new Map<string, Promise<Result<Fact>>>();
  readonly #nowMs: () => number;

  /** @param nowMs time since some start, never going back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async get(query: FactQuery, arm: Arm, patienceMs?: number): Promise<Result<Fact>> {
    if (patienceMs === undefined) return this.#look(query, arm);
    const cut = AbortSignal.timeout(Math.ceil(patienceMs));
    try {
      return await before(cut, this.#look(query, arm));
    } catch (error) {
      if (!cut.aborted) throw error;
      return notWaitedFor;
    }
  }

  async #look(query: FactQuery, arm: Arm): Promise<Result<Fact>> {
    const key = keyOf(query);
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#nowMs() < kept.untilMs) return { ok: true, value: kept.fact };
    const others = this.#running.get(key);
    if (others === undefined) {
      const own = this.#refresh(key, query, arm);
      this.#running.set(key, own);
      return own;
    }
    const found = await others;
    return found.ok || !isOfAsker(found.error) ? found : this.#look(query, arm);
  }

  async #refresh(key: string, query: FactQuery, arm: Arm): Promise<Result<Fact>> {
    try {
      const found = await lookUp(query, arm);
      const stale = this.#kept.get(key)?.fact;
      if (found.ok) this.#keep(key, found.value, freshMs[query.kind]);
      if (found.ok || stale === undefined) return found;
      this.#keep(key, stale, retryMs);
      return { ok: true, value: stale };
    } finally {
      this.#running.delete(key);
    }
  }

  #keep(key: string, fact: Fact, forMs: number): void {
    if (forMs > 0) this.#kept.set(key, { fact, untilMs: this.#nowMs() + forMs });
  }
}
