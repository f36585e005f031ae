import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../src/sim/arm/json.ts";
import { mutateResource, removeResource } from "../../../src/sim/arm/otherWriter.ts";
import { aMachine, aNetwork, bodies, group, nsgId, subnetId, subscription, type TestWorld, vnetId } from "./aWorld.ts";

interface Page {
  readonly totalRecords: number;
  readonly count: number;
  readonly resultTruncated: string;
  readonly data: readonly JsonObject[];
  readonly $skipToken?: string;
}

const post = (world: TestWorld, query: string, more: Record<string, Json> = {}, token = "operator") =>
  world.post(
    "/providers/Microsoft.ResourceGraph/resources",
    { subscriptions: [subscription], query, ...more },
    { token },
  );
const ask = (world: TestWorld, query: string, options: Json = {}): Page =>
  post(world, query, { options }).body as unknown as Page;

const changesSince = (sinceMs: number): string =>
  `resourcechanges | extend at = todatetime(properties.changeAttributes.timestamp), target = tostring(properties.targetResourceId)
   | where at >= datetime('${new Date(sinceMs).toISOString()}')
   | project id, at, target, change = tostring(properties.changeType), by = properties.changeAttributes.changedBy,
     correlation = tostring(properties.changeAttributes.correlationId), changes = properties.changes
   | order by at asc, id asc`;

describe("changes in Resource Graph", () => {
  it("tell what changed since when, by whom, under which correlation id, and which fields with both values", () => {
    const world = aNetwork();
    const since = world.now() + 1;
    world.advance(60_000);
    world.put(subnetId, bodies.subnet("10.4.0.0/16"), {
      token: "somebody",
      headers: { "x-ms-correlation-request-id": "c-1" },
    });
    world.advance(1_000);
    world.del(vnetId);
    world.get(vnetId);
    const { data, count } = ask(world, changesSince(since));
    expect(count).toBe(2);
    expect(data[0]).toMatchObject({ target: vnetId, change: "Update", by: "somebody", correlation: "c-1" });
    expect(Object.keys(data[0]!["changes"] as JsonObject)).toContain("properties.subnets");
    expect(data[1]).toMatchObject({ target: vnetId, change: "Delete", changes: {} });
  });

  it("name a tag that was taken off, one that was set and one that was changed", () => {
    const world = aNetwork();
    world.put(nsgId, { location: "eastus", tags: { gone: "1", other: "a" } });
    world.advance(10_000);
    mutateResource(world.state, nsgId, (body) => ({ ...body, tags: { other: "b", fresh: "1" } }), world.now());
    const { data } = ask(world, changesSince(world.now()));
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      by: "another-writer",
      changes: {
        "tags.gone": { propertyChangeType: "Remove", previousValue: "1", newValue: null },
        "tags.fresh": { propertyChangeType: "Insert", previousValue: null, newValue: "1" },
        "tags.other": { propertyChangeType: "Update", previousValue: "a", newValue: "b" },
      },
    });
  });

  it.each([
    { when: "by a DELETE", remove: (world: TestWorld) => void world.del(group) },
    {
      when: "behind everybody's back",
      remove: (world: TestWorld) => void removeResource(world.state, group, world.now()),
    },
  ])(
    "of a resource group that goes $when list its content, and the group itself in the table of containers",
    ({ remove }) => {
      const world = aNetwork();
      world.put(nsgId, { location: "eastus" });
      world.advance(10_000);
      const since = world.now();
      remove(world);
      world.get(group);
      const targets = (table: string) =>
        ask(world, changesSince(since).replace("resourcechanges", table)).data.map(({ target, change }) => [
          target,
          change,
        ]);
      expect(targets("resourcechanges")).toEqual([
        [nsgId, "Delete"],
        [vnetId, "Delete"],
      ]);
      expect(targets("resourcecontainerchanges")).toEqual([[group, "Delete"]]);
    },
  );

  it("show only after their delay, with the time at which they happened", () => {
    const world = aNetwork({ changeFeed: { delayMs: 40 * 60_000 } });
    const since = world.now();
    mutateResource(world.state, vnetId, (body) => ({ ...body, tags: { a: "1" } }), since);
    world.advance(40 * 60_000 - 1);
    expect(ask(world, changesSince(since)).count).toBe(0);
    world.advance(1);
    expect(ask(world, changesSince(since)).data).toMatchObject([{ at: new Date(since).toISOString() }]);
  });
});

describe("a query", () => {
  it.each([
    { query: "resources | where type =~ 'Microsoft.Network/VirtualNetworks' | project name", names: ["vnet"] },
    { query: "resources | where type == 'Microsoft.Network/VirtualNetworks' | project name", names: [] },
    {
      query: "resources | where name != 'vnet' and name >= 'n' | sort by name asc | project name",
      names: ["nic", "pip", "vm", "vm_OSDisk"],
    },
    { query: "resources | where name in~ ('vnet')", names: undefined },
    { query: "resources | order by name | project name", names: ["vnet", "vm_OSDisk", "vm", "pip", "nic", "lb"] },
    { query: "resourcecontainers | project name", names: ["rg"] },
    { query: "resources | where tolower(name) == 'vnet' | project name", names: ["vnet"] },
  ])("$query is understood whole, or refused", ({ query, names }) => {
    const world = aMachine();
    const answer = post(world, query);
    if (names === undefined) expect(answer.status).toBe(400);
    else expect((answer.body as unknown as Page).data.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ["securityresources", "UnknownTable"],
    ["resources | summarize count() by type", "ParserFailure"],
    ["resources | where isnotempty(name) == true", "UnknownFunction"],
    ["resources | where colour == 'red'", "InvalidColumnNames"],
    ["resources | project name | where type == 'x'", "InvalidColumnNames"],
    ["resources | where name == 'x", "ParserFailure"],
    ["resources | where name", "ParserFailure"],
    ["resourcechanges | where id > datetime(yesterday)", "ParserFailure"],
  ])("%s is refused with %s", (query, code) => {
    const answer = post(aNetwork(), query);
    expect(answer).toMatchObject({ status: 400, code: "BadRequest" });
    expect(answer.body).toMatchObject({ error: { details: [{ code: "InvalidQuery" }, { code }] } });
  });

  it("is answered in pages, whose token belongs to it alone", () => {
    const world = aMachine();
    const query = "resources | project id | order by id asc";
    const whole = ask(world, query);
    expect(whole.$skipToken).toBeUndefined();
    const got: (readonly JsonObject[])[] = [];
    let token: string | undefined = "";
    while (token !== undefined) {
      const page = ask(world, query, { $top: 2, ...(token !== "" && { $skipToken: token }) });
      got.push(page.data);
      expect(page).toMatchObject({ totalRecords: whole.count, resultTruncated: "false" });
      token = page.$skipToken;
    }
    expect(got.map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(got.flat()).toEqual(whole.data);
    const $skipToken = ask(world, query, { $top: 2 }).$skipToken!;
    expect(post(world, "resources | project id", { options: { $skipToken } }).status).toBe(400);
    expect(post(world, query, { options: { $top: 1001 } }).status).toBe(400);
  });

  it("cannot be paged when all its columns are dynamic", () => {
    const page = ask(aMachine(), "resources | project properties", { $top: 1 });
    expect(page).toMatchObject({ count: 1, resultTruncated: "true" });
    expect(page.$skipToken).toBeUndefined();
  });

  it("shows an identity only what it may read, and refuses when that is no subscription at all", () => {
    const world = aNetwork({
      denied: [
        { identity: "blind", actions: ["read"] },
        { identity: "half", actions: ["read"], scope: vnetId },
      ],
    });
    const names = (token: string) => post(world, "resources | project name", {}, token);
    expect(names("half").body).toMatchObject({ count: 0 });
    expect(names("operator").body).toMatchObject({ count: 1 });
    expect(names("blind").body).toMatchObject({ error: { details: [{ code: "NoValidSubscriptionsInQueryRequest" }] } });
  });
});
