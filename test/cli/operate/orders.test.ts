import { describe, expect, it } from "vitest";
import { changeOf, type Order } from "../../../src/cli/operate/orders.ts";
import { abandoned } from "../../../src/core/ownedChildren.ts";
import type { KubeObject } from "../../../src/core/types.ts";
import { circumstancesOf } from "../../../src/engine/circumstancesOf.ts";

const giver = {
  who: "system:serviceaccount:ops/ada,x",
  nowMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  reason: "see #7,\n/subscriptions/evil",
};
const id = (name: string): string => `/subscriptions/s/resourceGroups/${name}`;
const change = (order: Order, present: Readonly<Record<string, string>> = {}) => changeOf(order, present, giver);

const objectWith = (annotations: Readonly<Record<string, string>>): KubeObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "AzureCluster",
  metadata: {
    name: "demo",
    namespace: "default",
    uid: "u",
    generation: 1,
    resourceVersion: "1",
    labels: {},
    annotations,
    finalizers: [],
    ownerReferences: [],
  },
  spec: {},
  status: {},
});

describe("an order as an annotation", () => {
  it.each(["retry", "release", "hold"] as const)("%s says who, when and why", (kind) => {
    const given = change({ kind });
    expect(given).toMatchObject({
      value: {
        name: `capstan.azure/${kind}`,
        value: "by system:serviceaccount:ops ada x at 2026-01-02T03:04:05Z: see #7 subscriptions evil",
      },
    });
  });

  it("another order of the same kind has another value, so that it counts again", () => {
    const later = changeOf({ kind: "retry" }, {}, { ...giver, nowMs: giver.nowMs + 1_000 });
    expect(later).not.toEqual(change({ kind: "retry" }));
  });

  it("unhold takes the annotation off, and says when there was none", () => {
    expect(change({ kind: "unhold" }, { "capstan.azure/hold": "x" })).toMatchObject({
      value: { value: null, says: [expect.stringContaining("goes on")] },
    });
    expect(change({ kind: "unhold" })).toMatchObject({ value: { value: null, says: ["was not held"] } });
  });

  it("ids are added to those named before, each once in whatever case, and are all that a turn reads of the value", () => {
    const before = change({ kind: "abandon", ids: [id("a")] });
    expect(before.ok).toBe(true);
    const present = before.ok ? { [before.value.name]: before.value.value ?? "" } : {};
    const after = change(
      { kind: "abandon", ids: [id("b"), id("A").toUpperCase().replace("/SUBSCRIPTIONS", "/subscriptions")] },
      present,
    );
    const value = after.ok ? (after.value.value ?? "") : "";
    expect(value.split(",")).toHaveLength(3);
    const isAbandoned = abandoned(objectWith({ "capstan.azure/abandon": value }));
    expect([id("a"), id("b"), `${id("b")}/providers/Microsoft.Network/routeTables/r`].every(isAbandoned)).toBe(true);
    expect(isAbandoned("/subscriptions/evil")).toBe(false);
  });

  it("adopt: the turn reads the ids, and nothing else", () => {
    const given = change({ kind: "adopt", ids: [id("a")] });
    const value = given.ok ? (given.value.value ?? "") : "";
    const object = objectWith({ "capstan.azure/adopt": value });
    expect([
      ...circumstancesOf({ object, input: { object, dependencies: {}, settings: {} }, known: [] }).adopt,
    ]).toEqual([id("a").toLowerCase()]);
    expect(given).toMatchObject({ value: { says: [expect.stringContaining("gets the owner tag")] } });
  });

  it.each([
    { ids: [], says: "which resources" },
    { ids: ["my-group"], says: '"my-group" is no id' },
    { ids: [`${id("a")},${id("b")}`], says: "is no id" },
    { ids: Array.from({ length: 2_000 }, (_, index) => id(`a-group-with-a-long-name-${index}`)), says: "longer than" },
  ])("refuses ids: $says", ({ ids, says }) =>
    expect(change({ kind: "adopt", ids })).toMatchObject({ ok: false, error: expect.stringContaining(says) }),
  );
});
