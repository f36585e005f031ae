import { describe, expect, it } from "vitest";
import { drift } from "../../src/engine/drift.ts";
import { isNews } from "../../src/engine/driftConcern.ts";
import { ownersOf } from "../../src/engine/driftOwners.ts";
import { driftScopes } from "../../src/engine/driftScopes.ts";
import { type IndexRow, putAllInIndex } from "../../src/engine/indexRow.ts";
import { group, ids, settledCluster, subscription } from "../support/defaultCluster.ts";
import { hour, pass } from "../support/timers.ts";
import { clusterUid } from "../support/world.ts";

const row = (name: string, resources: readonly string[], identity?: string): IndexRow => ({
  address: { cluster: clusterUid, kind: "AzureCluster", namespace: "default", name },
  uid: name,
  dueMs: 0,
  resources: resources.map((id) => id.toLowerCase()),
  ...(identity !== undefined && { identity }),
});

describe("a change of a resource concerns", () => {
  const foreignVnet = `${subscription}/resourceGroups/theirs/providers/Microsoft.Network/virtualNetworks/hub`;
  const owners = ownersOf([
    row("a", [group, ids.vnet, ids.nodeSubnet, ids.nodeNsg]),
    row("b", [`${foreignVnet}/subnets/ours`]),
  ]);
  it.each([
    { what: "its owner, whatever the case of the id", id: ids.nodeNsg.toUpperCase(), names: ["a"] },
    { what: "the owner of a part of it, also in a network of others", id: foreignVnet, names: ["b"] },
    { what: "the owner of what it is a part of", id: `${ids.nodeNsg}/securityRules/x`, names: ["a"] },
    { what: "nobody, when it is only a neighbour of a part", id: `${foreignVnet}/subnets/theirs`, names: [] },
    { what: "the owner of the network when it is a subnet of nobody", id: `${ids.vnet}/subnets/new`, names: ["a"] },
    {
      what: "nobody, when it is in a group of ours and is not ours",
      id: `${group}/providers/Microsoft.Network/routeTables/x`,
      names: [],
    },
    { what: "only the owner of the group when it is the group", id: group, names: ["a"] },
    { what: "nobody for what is no id", id: "nonsense", names: [] },
  ])("$what", ({ id, names }) => expect([...owners(id).keys()].map(({ address }) => address.name)).toEqual(names));
});

describe("a change is news", () => {
  it.each([
    { when: "it is younger than the last look", atMs: 100_001, own: "x", news: true },
    { when: "it is older than the last look by less than a minute", atMs: 40_001, own: "x", news: true },
    { when: "it is older than the last look by a minute", atMs: 40_000, own: "x", news: false },
    { when: "it bears the id of a write of the object", atMs: 100_001, own: "w", news: false },
  ])("$news when $when", ({ atMs, own, news }) =>
    expect(isNews({ atMs, correlationId: own }, [{ observedAtMs: 100_000 }], new Set(["w"]))).toBe(news),
  );
  it("when one of the resources that it is about was not looked at since", () =>
    expect(isNews({ atMs: 1, correlationId: "" }, [{ observedAtMs: 200_000 }, { observedAtMs: 0 }], new Set())).toBe(
      true,
    ));
});

it("one query goes out for each subscription and identity", () => {
  const other = ids.vnet.replace("0001", "0002");
  const scopes = driftScopes([
    row("a", [ids.vnet, other], "default/x"),
    row("b", [ids.lb], "default/y"),
    row("c", [ids.vnet], "default/x"),
  ]);
  expect(scopes.map(({ subscription: of, identity, objects }) => [of.slice(-1), identity, objects.length])).toEqual([
    ["1", "default/x", 2],
    ["2", "default/x", 1],
    ["1", "default/y", 1],
  ]);
});

it("10,000 objects are matched by one read of the index; only those with a change are read", async () => {
  const world = await settledCluster();
  await pass(world, hour);
  const rows = Array.from({ length: 10_000 }, (_, at) =>
    row(
      `other-${at}`,
      [group, ids.vnet, ids.lb].map((id) => id.replace("/c1", `/other-${at}`)),
      "default/absent",
    ),
  );
  expect(await putAllInIndex(rows, world.deps)).toMatchObject({ ok: true });
  const from = world.calls.length;
  const reports = await drift(world.clock.nowMs(), world.deps);
  expect(new Set(reports.map(({ failure }) => failure))).toEqual(new Set([undefined, "NobodyToAsk"]));
  const calls = world.calls.slice(from).map(({ name }) => name);
  expect(calls.filter((name) => name === "tables list index")).toHaveLength(8);
  expect(calls.filter((name) => name === "tables list state")).toHaveLength(1);
  expect(calls.filter((name) => name === "arm POST")).toHaveLength(2);
  expect(calls.length).toBeLessThan(40);
});
