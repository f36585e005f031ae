import { describe, expect, it } from "vitest";
import type { Outcome, ServiceState } from "../../src/core/kind.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { assumedZones } from "../../src/kinds/zones.ts";
import { anAzureCluster, anObject, inputOf, scopeIn, subscription, withNetwork, zonesOf } from "./aCluster.ts";

const outcome = (changes: Readonly<Record<string, ServiceState>> = {}): Outcome => {
  const states = azureCluster.services.map(({ name }) => [name, changes[name] ?? { kind: "done" }] as const);
  const settled = states.every(([, { kind }]) => kind === "done" || kind === "unused");
  return { services: new Map(states), bodies: new Map(), settled };
};
const creating = { subnets: { kind: "inProgress", verb: "creating" } } as const;

const reportOf = (object = anAzureCluster(), states: Readonly<Record<string, ServiceState>> = {}) => {
  const input = inputOf(object);
  const scope = scopeIn(input);
  if (!scope.ok) throw new Error(scope.error.map(({ message }) => message).join("\n"));
  return azureCluster.read(input).report(scope.value, outcome(states));
};

describe("what a turn reads", () => {
  it("is the owner, the identity and the namespace", () =>
    expect(azureCluster.dependencies(anAzureCluster())).toEqual([
      { role: "cluster", key: { kind: "Cluster", namespace: "default", name: "c1" } },
      { role: "identity", key: { kind: "AzureClusterIdentity", namespace: "default", name: "sp" } },
      { role: "namespace", key: { kind: "Namespace", namespace: "", name: "default" } },
    ]));
  it("is an identity elsewhere when the reference says so", () =>
    expect(
      azureCluster.dependencies(anAzureCluster({ identityRef: { name: "sp", namespace: "ids" } }))[1]?.key.namespace,
    ).toBe("ids"));
  it("is the zones of the region", () =>
    expect(azureCluster.read(inputOf(anAzureCluster())).facts).toEqual([
      { kind: "zones", subscription, location: "eastus" },
    ]));
  it("is no zones at the edge", () =>
    expect(
      azureCluster.read(inputOf(anAzureCluster({ extendedLocation: { name: "la", type: "EdgeZone" } }))).facts,
    ).toEqual([]));
});

describe("a turn waits", () => {
  it("for an owner, which is no error", () =>
    expect(scopeIn(inputOf(anAzureCluster({}, { ownerReferences: [] })))).toMatchObject({
      error: [{ reason: "OwnerRefNotSet", severity: "Info", condition: "NetworkInfrastructureReady" }],
    }));
  it("for the owner to be found, unless the object goes away", () => {
    const { cluster: _, ...dependencies } = inputOf(anAzureCluster()).dependencies;
    expect(scopeIn({ ...inputOf(anAzureCluster()), dependencies })).toMatchObject({
      error: [{ reason: "ClusterNotFound" }],
    });
    const going = anAzureCluster({}, { deletionTimestamp: "2026-01-01T00:00:00Z" });
    expect(scopeIn({ ...inputOf(going), dependencies })).toMatchObject({ ok: true });
  });
  it("for a subscription when there is no default one", () => {
    const object = anAzureCluster({ subscriptionID: "" });
    expect(scopeIn(inputOf(object))).toMatchObject({ error: [{ reason: "InvalidConfiguration" }] });
    expect(scopeIn(inputOf(object, { settings: { subscriptionId: "sub" } }))).toMatchObject({
      value: { subscription: "sub" },
    });
  });
});

it("owns by the tag of the Cluster, in the groups of cluster and network", () => {
  const scope = scopeIn(inputOf(withNetwork({ vnet: { name: "v", resourceGroup: "net" } })));
  if (!scope.ok) throw new Error("no scope");
  expect(azureCluster.ownership(scope.value)).toEqual({
    tags: { "sigs.k8s.io_cluster-api-provider-azure_cluster_c1": "owned" },
    subscription,
    groups: ["c1", "net"],
  });
});

describe("endpoint", () => {
  const host = /^c1-[0-9a-f]+\.eastus\.cloudapp\.azure\.com$/;
  it("is told when everything stands", () => {
    expect(reportOf().spec).toEqual({ controlPlaneEndpoint: { host: expect.stringMatching(host), port: 6443 } });
    expect(reportOf(anAzureCluster(), creating).spec).toEqual({});
  });
  it("is told again while an update runs, lest the apply take it back", () =>
    expect(reportOf(anAzureCluster({ controlPlaneEndpoint: { host: "h", port: 443 } }), creating).spec).toEqual({
      controlPlaneEndpoint: { host: "h", port: 443 },
    }));
  it("is completed where the user gave half of it", () =>
    expect(reportOf(anAzureCluster({ controlPlaneEndpoint: { host: "", port: 443 } })).spec).toEqual({
      controlPlaneEndpoint: { host: expect.stringMatching(host), port: 443 },
    }));
  it("of a private cluster is a name in its zone", () =>
    expect(reportOf(withNetwork({ vnet: { name: "v" }, apiServerLB: { type: "Internal" } })).spec).toEqual({
      controlPlaneEndpoint: { host: "apiserver.c1.capz.io", port: 6443 },
    }));
  it("of a control plane elsewhere is waited for", () => {
    const report = reportOf(anAzureCluster({ controlPlaneEnabled: false }));
    expect(report).toMatchObject({
      spec: {},
      status: {},
      claims: [{ status: "False", severity: "Info", reason: "ExternallyManagedControlPlane" }],
    });
    const given = reportOf(
      anAzureCluster({ controlPlaneEnabled: false, controlPlaneEndpoint: { host: "h", port: 1 } }),
    );
    expect(given).toMatchObject({ status: { ready: true }, claims: [{ status: "True" }] });
  });
});

describe("status", () => {
  it("is ready once everything stands, and stays so", () => {
    expect(reportOf().status["ready"]).toBe(true);
    expect(reportOf(anAzureCluster(), creating).status).not.toHaveProperty("ready");
    expect(reportOf(anAzureCluster({}, { status: { ready: true } }), creating).status["ready"]).toBe(true);
  });
  it("has every zone as a failure domain, restricted by the spec", () =>
    expect(
      reportOf(anAzureCluster({ failureDomains: { "1": { controlPlane: true }, "2": {}, "9": {} } })).status[
        "failureDomains"
      ],
    ).toEqual({
      "1": { controlPlane: true },
      "2": { controlPlane: false },
      "3": { controlPlane: true },
    }));
  it("has no failure domains where there are no zones", () => {
    const input = inputOf(anAzureCluster(), { facts: [zonesOf("East US")] });
    const scope = scopeIn(input);
    if (!scope.ok) throw new Error("no scope");
    expect(azureCluster.read(input).report(scope.value, outcome()).status).toEqual({ ready: true });
  });
});

describe("NetworkInfrastructureReady", () => {
  const claim = (object = anAzureCluster(), states: Readonly<Record<string, ServiceState>> = {}) =>
    reportOf(object, states).claims[0];
  const failed: ServiceState = { kind: "failed", reason: "Failed", severity: "Error", message: "no quota" };
  const stood: JsonObject = { conditions: [{ type: "NetworkInfrastructureReady", status: "True" }] };

  it("is true when everything stands", () =>
    expect(claim()).toEqual({ type: "NetworkInfrastructureReady", status: "True" }));
  it("says what is not yet done", () =>
    expect(claim(anAzureCluster(), creating)).toMatchObject({
      status: "False",
      severity: "Info",
      reason: "Creating",
      message: "not yet done: subnets",
    }));
  it("has the words of the failure", () =>
    expect(claim(anAzureCluster(), { publicIps: failed })).toMatchObject({
      status: "False",
      severity: "Error",
      reason: "Failed",
      message: "publicIps: no quota",
    }));
  it("stays true during an update, and during trouble that passes", () => {
    expect(claim(anAzureCluster({}, { status: stood }), creating)).toMatchObject({ status: "True" });
    const passing: ServiceState = { kind: "failed", reason: "Creating", severity: "Info", message: "throttled" };
    expect(claim(anAzureCluster({}, { status: stood }), { subnets: passing })).toMatchObject({ status: "True" });
  });
  it("warns when a deletion fails", () =>
    expect(
      claim(anAzureCluster({}, { deletionTimestamp: "2026-01-01T00:00:00Z", status: stood }), { subnets: failed }),
    ).toMatchObject({
      status: "False",
      severity: "Warning",
      reason: "DeletionFailed",
    }));
});

describe("zones assumed without asking Azure", () => {
  it.each([
    { location: "eastus", zones: ["1", "2", "3"] },
    { location: "West US", zones: [] },
  ])("$location has $zones", ({ location, zones }) =>
    expect(assumedZones({ kind: "zones", subscription, location })).toEqual({ kind: "zones", location, zones }),
  );
});

it("reads a spec of the API server even when it is nonsense", () =>
  expect(scopeIn(inputOf(anObject("AzureCluster", { spec: { networkSpec: 7, location: [] } })))).toMatchObject({
    ok: false,
  }));
