import { describe, expect, it } from "vitest";
import type { JsonObject, Result } from "../../src/core/types.ts";
import { throttled } from "../../src/engine/throttle/throttled.ts";
import { timedAzure } from "../../src/engine/timedAzure.ts";
import type { Arm, Azure, MayGoOn } from "../../src/ports.ts";
import { createWorld } from "../support/world.ts";

const spec = {
  kind: "clientSecret",
  cloud: "AzurePublicCloud",
  tenantId: "t",
  clientId: "c",
  clientSecret: "s",
  identity: "default/sp",
  usedBy: "default/c1",
} as const;
const list = { method: "GET", path: "/subscriptions/s/resources", apiVersion: "1" } as const;

/** A list of so many pages; `onPage` is told of each that is asked for. */
const paged = (pages: number, onPage: () => void): Azure => {
  const never = (): never => {
    throw new Error("only lists are asked for");
  };
  const all = async (mayGoOn?: MayGoOn): Promise<Result<readonly JsonObject[]>> => {
    for (let page = 0; page < pages; page += 1) {
      const stop = page === 0 ? undefined : await mayGoOn?.();
      if (stop !== undefined) return { ok: false, error: stop };
      onPage();
    }
    return { ok: true, value: [] };
  };
  const arm: Arm = { send: never, poll: never, list: (_request, mayGoOn) => all(mayGoOn) };
  return { connect: () => Promise.resolve({ ok: true, value: arm }) };
};

const listBy = async (azure: Azure): Promise<Result<readonly JsonObject[]>> => {
  const connected = await azure.connect(spec);
  return connected.ok ? connected.value.list(list) : connected;
};

describe("the pages of a list", () => {
  it("are requests like others: none starts when the turn is too old", async () => {
    let nowMs = 0;
    let pages = 0;
    const clock = { monotonicMs: () => nowMs, sleep: () => Promise.resolve() };
    const azure = paged(10, () => {
      pages += 1;
      nowMs += 14_000;
    });
    const answer = await listBy(timedAzure(azure, { deps: { clock }, startedMs: 0 }));
    expect(answer).toMatchObject({ ok: false, error: { code: "TurnTooLong" } });
    // They start at 0, 14 and 28 s.
    expect(pages).toBe(3);
  });

  it("take a token each, and end when there are no more for them", async () => {
    let pages = 0;
    const { deps } = createWorld();
    const azure = paged(1_000, () => {
      pages += 1;
    });
    const answer = await listBy(throttled({ ...deps, azure }, { object: "o", rank: "other" }).azure);
    expect(answer).toMatchObject({ ok: false, error: { code: "HeldBack" } });
    // Of 250 tokens a fifth is left to deletions and people.
    expect(pages).toBeGreaterThanOrEqual(199);
    expect(pages).toBeLessThanOrEqual(201);
  });
});
