import type { Fact, FactQuery } from "../core/kind.ts";
import type { Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
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

/** The engine's facts from Azure, kept for a day; a stale one serves while Azure cannot be asked. */
export class AzureFacts {
  readonly #kept = new Map<string, Kept>();
  readonly #running = new Map<string, Promise<Result<Fact>>>();
  readonly #nowMs: () => number;

  /** @param nowMs time since some start, never going back */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  get(query: FactQuery, arm: Arm): Promise<Result<Fact>> {
    const key = JSON.stringify([query.kind, query.subscription.toLowerCase(), query.location.toLowerCase()]);
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#nowMs() < kept.untilMs) return Promise.resolve({ ok: true, value: kept.fact });
    const running = this.#running.get(key) ?? this.#refresh(key, query, arm);
    this.#running.set(key, running);
    return running;
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
