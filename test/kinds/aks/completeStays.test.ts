import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAzureManagedControlPlane } from "../../../src/api/aks/azureManagedControlPlane.ts";
import { parseAzureManagedMachinePool } from "../../../src/api/aks/azureManagedMachinePool.ts";
import { checkObject } from "../../../src/api/check/checkObject.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { completeControlPlane, completePool } from "../../../src/kinds/aksDefaults.ts";
import { anObject } from "../aCluster.ts";

/** Each field is left out now and then; absent is absent, as in JSON. */
const record = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(fields, { requiredKeys: [] });
const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);

const range = (vnet: string, subnet: string) => fc.constant({ vnet, subnet });
const network = fc
  .tuple(
    fc.oneof(range("10.0.0.0/8", "10.240.0.0/16"), range("10.224.0.0/12", "10.224.0.0/16")),
    oneOf("", "aks", "mine"),
    record({ name: oneOf("", "aks", "nodes") }),
    record({ resourceGroup: oneOf("", "demo", "net") }),
    fc.boolean(),
  )
  .map(([{ vnet, subnet }, name, subnetName, group, isRanged]) => ({
    name,
    ...group,
    ...(isRanged ? { cidrBlock: vnet, subnet: { ...subnetName, cidrBlock: subnet } } : {}),
  }));
const extension = record({
  plan: record({ name: oneOf("", "aks-p", "mine"), product: oneOf("p", "q") }),
  autoUpgradeMinorVersion: fc.boolean(),
}).map((fields) => ({ name: "flux", extensionType: "microsoft.flux", ...fields }));

const controlPlanes = record({
  version: oneOf("1.34.1", "v1.34.1"),
  sku: record({ tier: oneOf("Free", "Paid", "Standard") }),
  azureEnvironment: oneOf("", "AzurePublicCloud", "AzureChinaCloud"),
  resourceGroupName: oneOf("", "demo", "group"),
  nodeResourceGroupName: oneOf("", "nodes", "MC_demo_aks_eastus"),
  virtualNetwork: network,
  networkPlugin: oneOf("azure", "none"),
  networkPluginMode: oneOf("overlay"),
  dnsPrefix: oneOf("", "aks", "mine"),
  identity: record({}),
  oidcIssuerProfile: record({ enabled: fc.boolean() }),
  extensions: fc.array(extension, { maxLength: 1 }),
  fleetsMember: record({ name: oneOf("", "demo", "mine"), group: oneOf("", "a") }).map((fields) => ({
    managerName: "fleet",
    managerResourceGroup: "group",
    ...fields,
  })),
}).map((spec) => ({ identityRef: { name: "i" }, location: "eastus", version: "v1.34.1", ...spec }) as JsonObject);

const pools = record({
  name: oneOf("", "aks", "mine"),
  osType: oneOf("Linux", "Windows"),
  osDiskSizeGB: oneOf(0, 30),
  osDiskType: oneOf("Managed", "Ephemeral"),
  scaleDownMode: oneOf("Delete", "Deallocate"),
  subnetName: oneOf("", "nodes"),
}).map((spec) => ({ mode: "User", sku: "Standard_D2s_v3", ...spec }) as JsonObject);

const labels = { "cluster.x-k8s.io/cluster-name": "demo" };
const whole = (kind: string, spec: JsonObject) => {
  const object = anObject(kind, { spec });
  return { ...object, metadata: { ...object.metadata, name: "aks", labels } };
};

describe.each([
  {
    kind: "AzureManagedControlPlane",
    specs: controlPlanes,
    // Without ranges of services, since what follows from the Cluster no definition knows.
    complete: (spec: JsonObject) => {
      const parsed = parseAzureManagedControlPlane(whole("AzureManagedControlPlane", spec));
      return parsed.ok ? completeControlPlane({ name: "aks", clusterName: "demo" }, parsed.value) : undefined;
    },
  },
  {
    kind: "AzureManagedMachinePool",
    specs: pools,
    // Nor the subnet of the control plane.
    complete: (spec: JsonObject) => {
      const parsed = parseAzureManagedMachinePool(whole("AzureManagedMachinePool", spec));
      return parsed.ok ? completePool({ name: "aks" }, parsed.value) : undefined;
    },
  },
])("an $kind", ({ kind, specs, complete }) => {
  const sent = (spec: JsonObject): JsonObject => JSON.parse(JSON.stringify(whole(kind, spec))) as JsonObject;
  const findings = (spec: JsonObject, before?: JsonObject): readonly string[] =>
    checkObject(kind, sent(spec), before === undefined ? {} : { before: sent(before) }).map(
      ({ path, message }) => `${path}: ${message}`,
    );

  it("may be applied with its defaults written out, and again without them", () =>
    fc.assert(
      fc.property(
        specs.filter((spec) => findings(spec).length === 0),
        (spec) => {
          const written = JSON.parse(JSON.stringify(complete(spec))) as JsonObject;
          expect(findings(written)).toEqual([]);
          expect(findings(written, spec)).toEqual([]);
          expect(findings(spec, written)).toEqual([]);
        },
      ),
      { numRuns: 150 },
    ));

  it("may not be applied with other defaults", () => {
    const spec = fc.sample(specs, { numRuns: 1, seed: 1 })[0]!;
    const other = kind === "AzureManagedMachinePool" ? { name: "x" } : { dnsPrefix: "other" };
    expect(findings({ ...complete(spec), ...other } as JsonObject, spec)).not.toEqual([]);
  });
});
