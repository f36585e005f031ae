import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { decodeHistory } from "../../src/engine/historyRow.ts";
import { clusterServices } from "../../src/services/index.ts";
import { activeFaults } from "../../src/sim/arm/faults.ts";
import type { Mode } from "../e2e/modes/mode.ts";
import { modes } from "../e2e/modes/modes.ts";
import { annotate, key, settledCluster } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { conditionsOf, type World } from "../support/world.ts";
import { keyOf, worldOf } from "./modes/modeWorld.ts";

const hour = 3_600_000;
const statusOf = (world: World): JsonObject => world.objects.find(key)?.status ?? {};
const said = (world: World) => conditionsOf(world.objects.find(key));
const edit = (world: World, networkSpec: JsonObject): void =>
  void world.objects.edit(key, (object) => ({
    ...object,
    spec: { ...object.spec, networkSpec: { ...(object.spec["networkSpec"] as JsonObject), ...networkSpec } },
  }));

const fault = { kind: "respond", status: 403, code: "ScopeLocked", message: "The scope is locked." } as const;

// Fact sheet 8.1 and 8.2, labels from 1.2.
const told = [
  ["resourceGroups", "group", "ResourceGroupReady"],
  ["virtualNetworks", "virtualnetworks", "VNetReady"],
  ["securityGroups", "securitygroups", "SecurityGroupsReady"],
  ["routeTables", "routetables", "RouteTablesReady"],
  ["publicIps", "publicips", "PublicIPsReady"],
  ["natGateways", "natgateways", "NATGatewaysReady"],
  ["subnets", "subnets", "SubnetsReady"],
  ["vnetPeerings", "vnetpeerings", "VnetPeeringReady"],
  ["loadBalancers", "loadbalancers", "LoadBalancersReady"],
  ["privateDnsZones", "privatedns", "PrivateDNSZoneReady"],
  ["privateDnsLinks", "privatedns", "PrivateDNSLinkReady"],
  ["privateDnsARecords", "privatedns", "PrivateDNSRecordReady"],
  ["privateDnsAaaaRecords", "privatedns", "PrivateDNSRecordReady"],
  ["privateEndpoints", "privateendpoints", "PrivateEndpointsReady"],
  ["bastionHosts", "bastionhosts", "BastionHostReady"],
] as const;

it("each service has upstream's condition, and upstream's name in messages", () =>
  expect(clusterServices.map(({ name, label, condition }) => [name, label, condition])).toEqual(told));

/** Everything that a cluster can have beside what the default one has. */
const rich: Mode = {
  ...modes.find(({ name }) => name === "hubbed")!,
  name: "rich",
};
const withAll: Mode = {
  ...rich,
  spec: {
    ...rich.spec,
    bastionSpec: { azureBastion: {} },
    networkSpec: {
      ...(rich.spec?.["networkSpec"] as JsonObject),
      nodeOutboundLB: { frontendIPsCount: 1 },
      subnets: [
        { name: "cp", role: "control-plane" },
        {
          name: "nodes",
          role: "node",
          privateEndpoints: [
            {
              name: "storage",
              privateLinkServiceConnections: [
                {
                  name: "storage",
                  privateLinkServiceID:
                    "/subscriptions/00000000-0000-4000-8000-0000000000bb/resourceGroups/s/providers/Microsoft.Storage/storageAccounts/a",
                  groupIDs: ["blob"],
                },
              ],
            },
          ],
        },
      ],
    },
  },
};

/** A part of the path of what a service makes. */
const pathOf = (type: string, name: string): string =>
  name === "resourceGroups" ? "/resourceGroups/rich" : `/${type.split("/").at(-1)}/`;
const made = clusterServices.filter(({ name }) => name !== "privateDnsAaaaRecords");

describe.each(made.map(({ name, type, label, condition }) => [name, { type, label, condition }] as const))(
  "%s",
  (name, { type, label, condition }) => {
    it("shows progress, failure with Azure's words, hint and next try, and success", async () => {
      const world = worldOf(withAll);
      const match = { method: "PUT", path: pathOf(type, name), times: 1_000 };
      world.arm.faults.push(...activeFaults([{ match, fault }]));
      await world.run(hour);
      const now = () => conditionsOf(world.objects.find(keyOf(withAll)));
      expect(now()[condition]).toMatchObject({ status: "False", severity: "Error", reason: "Failed" });
      expect(now()[condition]?.message).toMatch(
        new RegExp(
          `^${label} failed to create or update\\. err: ScopeLocked: The scope is locked\\. .*lock.* Tried again within an hour\\.$`,
        ),
      );
      expect(now()["NetworkInfrastructureReady"]).toMatchObject({
        status: "False",
        severity: "Error",
        reason: "Failed",
        message: expect.stringContaining(`${name}: ScopeLocked`),
      });
      expect(now()["Ready"]).toMatchObject({ status: "False", severity: "Error", reason: "Failed" });
      world.arm.faults.length = 0;
      await world.run(3 * hour);
      expect(now()[condition]).toMatchObject({ status: "True" });
      expect(now()["Ready"]).toMatchObject({ status: "True" });
    });
  },
);

describe("a failure that lasts", () => {
  it("is told since when it fails, and how soon it is tried again; a try alone is no write to the object", async () => {
    const world = await settledCluster();
    world.restless = "Azure refuses the load balancer each time";
    world.arm.faults.push(
      ...activeFaults([{ match: { method: "PUT", path: "/loadBalancers/", times: 1_000 }, fault }]),
    );
    edit(world, { additionalAPIServerLBPorts: [{ name: "p", port: 99 }] });
    const version = () => world.objects.find(key)?.metadata.resourceVersion;
    const seen: JsonObject[] = [];
    world.objects.onChange(() => void seen.push(said(world)["LoadBalancersReady"] as JsonObject));
    await world.run(3 * hour);
    const failing = seen.filter(({ status }) => status === "False");
    expect(new Set(failing.map(({ lastTransitionTime }) => lastTransitionTime)).size).toBe(1);
    const soon = failing.map(
      ({ message }) => / Tried again within (.+)\.$/.exec(typeof message === "string" ? message : "")?.[1],
    );
    expect([...new Set(soon)]).toEqual(["15 minutes", "an hour"]);
    const [before, sent] = [version(), world.writes().length];
    await world.run(6 * hour);
    expect(world.writes().length).toBeGreaterThan(sent);
    expect(version()).toBe(before);
  });
});

describe("during an update", () => {
  it("ready stays, and so does NetworkInfrastructureReady; only the service shows that Azure is at work", async () => {
    const world = await settledCluster();
    world.arm.options = { ...world.arm.options, latency: 60_000 };
    const seen: string[] = [];
    world.objects.onChange((after) => {
      if (after?.kind !== "AzureCluster") return;
      const { NetworkInfrastructureReady: network, LoadBalancersReady: lb } = conditionsOf(after);
      seen.push(`${after.status["ready"] === true} ${network?.status} ${lb?.status} ${lb?.reason ?? ""}`.trim());
    });
    edit(world, { additionalAPIServerLBPorts: [{ name: "p", port: 99 }] });
    await world.run(hour);
    expect(new Set(seen)).toEqual(new Set(["true True True", "true True False Creating"]));
    expect(seen.at(-1)).toBe("true True True");
  });
});

describe("failure domains", () => {
  const zonesOf = (world: World) => Object.keys((statusOf(world)["failureDomains"] ?? {}) as JsonObject);
  const withZones = async (world: World, ...zones: readonly string[]) => {
    world.faults.zones = () => zones;
    annotate(world, "capstan.azure/retry", zones.join());
    await world.run();
  };

  it("go and come with the zones of the region, without any write to Azure", async () => {
    const world = await settledCluster();
    const sent = world.writes().length;
    await withZones(world, "1", "2");
    expect(zonesOf(world)).toEqual(["1", "2"]);
    await withZones(world);
    expect(zonesOf(world)).toEqual([]);
    await withZones(world, "1", "2", "3", "4");
    expect(zonesOf(world)).toEqual(["1", "2", "3", "4"]);
    await lookAgain(world);
    expect(world.writes().slice(sent)).toEqual([]);
    expect(statusOf(world)["ready"]).toBe(true);
  });
});

describe("history", () => {
  it("tells the generation that each turn has observed, whatever its message said", async () => {
    const world = await settledCluster();
    edit(world, { additionalAPIServerLBPorts: [{ name: "p", port: 99 }] });
    await world.run();
    const generation = world.objects.find(key)?.metadata.generation;
    world.arm.faults.push(...activeFaults([{ match: { method: "GET", path: "/loadBalancers/" }, fault }]));
    // A replay's message knows no generation.
    await lookAgain(world);
    const rows = world.tables.rows("history").map(decodeHistory);
    const last = rows.toSorted((one, other) => one.turn - other.turn).find(({ cause }) => cause === "replay");
    expect(last).toMatchObject({ cause: "replay", generation });
  });
});
