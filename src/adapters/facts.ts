import { isHeldBack } from "../core/heldBack.ts";
import type { Fact, FactQuery } from "../core/kind.ts";
import type { Failure, Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { before } from "./before.ts";
import { skuZones } from "./skuZones.ts";

const freshMs = 24 * 60 * 60 * 1000;
/** After a failed look-up the stale answer serves for so long before Azure is asked again. */
const retryMs = 5 * 60 * 1000;
const skuApiVersion = "2021-07-01";

interface Kept {
  readonly fact: Fact;
  readonly untilMs: number;
}

const lookUp = async ({ subscription, location }: FactQuery, arm: Arm): Promise<Result<Fact>> => {
  const listed = await arm.list({
    method: "GET",
    path: `/subscriptions/${subscription}/providers/Microsoft.Compute/skus`,
    apiVersion: skuApiVersion,
    query: { $filter: `location eq '${location.replaceAll("'", "''")}'` },
  });
  return listed.ok ? { ok: true, value: { kind: "zones", location, zones: skuZones(listed.value, location) } } : listed;
};

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
 * The engine's facts from Azure, kept for a day; a stale one serves while Azure cannot be asked. Who asks for the same at
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
    const key = JSON.stringify([query.kind, query.subscription.toLowerCase(), query.location.toLowerCase()]);
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
      if (found.ok) this.#keep(key, found.value, freshMs);
      if (found.ok || stale === undefined) return found;
      this.#keep(key, stale, retryMs);
      return { ok: true, value: stale };
    } finally {
      this.#running.delete(key);
    }
  }

  #keep(key: string, fact: Fact, forMs: number): void {
    this.#kept.set(key, { fact, untilMs: this.#nowMs() + forMs });
  }
}
