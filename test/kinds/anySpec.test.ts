import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { idKey } from "../../src/core/ids.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { anAzureCluster, inputOf, scopeIn } from "./aCluster.ts";
import { anySpec } from "./specArbitrary.ts";

/** What a turn wants, or undefined when it says why it wants nothing. */
const wishesOf = (object: KubeObject) => {
  const scope = scopeIn(inputOf(object));
  if (!scope.ok) {
    expect(scope.error.length).toBeGreaterThan(0);
    for (const { message } of scope.error) expect(message.length).toBeGreaterThan(10);
    return undefined;
  }
  return azureCluster.services.flatMap((service) => service.desired(scope.value));
};

describe("any spec", () => {
  it.each([
    { when: "it lives", metadata: {} },
    { when: "it goes away", metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } },
  ])("gives wishes or problems, never an exception, when $when", ({ metadata }) =>
    fc.assert(
      fc.property(anySpec, (changes) => {
        const wishes = wishesOf(anAzureCluster(changes as unknown as JsonObject, metadata));
        const keys = wishes?.map(({ id }) => idKey(id)) ?? [];
        if (!("deletionTimestamp" in metadata)) expect(new Set(keys).size).toBe(keys.length);
      }),
      { numRuns: 400 },
    ),
  );

  it("gives the same wishes each time", () =>
    fc.assert(
      fc.property(anySpec, (changes) => {
        const object = anAzureCluster(changes as unknown as JsonObject);
        expect(wishesOf(object)).toEqual(wishesOf(object));
      }),
      { numRuns: 50 },
    ));

  it("is a good one often enough for these laws to mean something", () => {
    const sample = fc.sample(anySpec, { numRuns: 300, seed: 7 });
    const good = sample.filter((changes) => wishesOf(anAzureCluster(changes as unknown as JsonObject)) !== undefined);
    expect(good.length).toBeGreaterThan(15);
  });
});
