import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aksDefaults } from "../../../src/api/aks/aksDefaults.ts";
import { parseAzureManagedCluster } from "../../../src/api/aks/azureManagedCluster.ts";
import { parseAzureManagedControlPlane } from "../../../src/api/aks/azureManagedControlPlane.ts";
import { azureManagedKinds } from "../../../src/api/aks/azureManagedKinds.ts";
import { parseAzureManagedMachinePool } from "../../../src/api/aks/azureManagedMachinePool.ts";
import { azureAsoKinds } from "../../../src/api/aso/azureAsoKinds.ts";
import { parseAzureAsoManagedCluster } from "../../../src/api/aso/azureAsoManagedCluster.ts";
import { parseAzureAsoManagedControlPlane } from "../../../src/api/aso/azureAsoManagedControlPlane.ts";
import { parseAzureAsoManagedMachinePool } from "../../../src/api/aso/azureAsoManagedMachinePool.ts";
import { parseSpec } from "../../../src/api/parse.ts";
import { fillVariables } from "../../../src/cli/fillVariables.ts";
import type { JsonObject, KubeObject } from "../../../src/core/types.ts";
import { anObject } from "../../kinds/aCluster.ts";
import { readObjects, readRecording } from "../../kinds/manifest.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";

const schemas = { ...azureManagedKinds, ...azureAsoKinds };
const parsers = {
  AzureManagedCluster: parseAzureManagedCluster,
  AzureManagedControlPlane: parseAzureManagedControlPlane,
  AzureManagedMachinePool: parseAzureManagedMachinePool,
  AzureASOManagedCluster: parseAzureAsoManagedCluster,
  AzureASOManagedControlPlane: parseAzureAsoManagedControlPlane,
  AzureASOManagedMachinePool: parseAzureAsoManagedMachinePool,
} as const;

/** Parses the spec of any of the kinds, templates too. */
const parseAny = (object: KubeObject) => {
  const { spec } = schemas[object.kind]!;
  return parseSpec(spec, aksDefaults(spec, object), "Ready");
};

describeWithShared("published manifests", () => {
  const folder = join(sharedDir, "contract", "templates");
  const variables = {
    CLUSTER_NAME: "demo",
    CLUSTER_CLASS_NAME: "class",
    CLUSTER_IDENTITY_NAME: "identity",
    KUBERNETES_VERSION: "v1.34.1",
    AZURE_LOCATION: "eastus",
    AZURE_SUBSCRIPTION_ID: "00000000-0000-4000-8000-000000000001",
    AZURE_NODE_MACHINE_TYPE: "Standard_D2s_v3",
    AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: "00000000-0000-4000-8000-000000000002",
    AZURE_TENANT_ID: "00000000-0000-4000-8000-000000000003",
  };
  const template = (file: string): readonly KubeObject[] => {
    const filled = fillVariables(readFileSync(join(folder, file), "utf8"), variables);
    return filled.ok ? readObjects(filled.value) : [];
  };
  const objects = [
    ...readdirSync(folder).flatMap((file) => (file.includes("aks") ? template(file) : [])),
    ...readRecording("aks-default", "manifest.yaml"),
  ].filter(({ kind }) => kind in schemas);

  it("hold the kinds", () => expect(new Set(objects.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(6));
  it.each(objects.map((object) => ({ kind: object.kind, name: object.metadata.name, object })))(
    "have $kind $name in the right shape",
    ({ object }) => expect(parseAny(object)).toMatchObject({ ok: true }),
  );
});

const controlPlane = (spec: JsonObject) =>
  parseAzureManagedControlPlane(
    anObject("AzureManagedControlPlane", {
      spec: { identityRef: { name: "i" }, location: "eastus", version: "v1.34.1", ...spec },
    }),
  );
const pool = (spec: JsonObject) =>
  parseAzureManagedMachinePool(
    anObject("AzureManagedMachinePool", { spec: { mode: "System", sku: "Standard_D2s_v3", ...spec } }),
  );

describe("a control plane", () => {
  it("has the defaults of the API server without having been there", () =>
    expect(controlPlane({ virtualNetwork: { subnet: {} }, sku: {}, oidcIssuerProfile: {} })).toEqual({
      ok: true,
      value: {
        identityRef: { name: "i" },
        location: "eastus",
        version: "v1.34.1",
        resourceGroupName: "",
        sku: { tier: "Free" },
        virtualNetwork: { name: "", cidrBlock: "10.0.0.0/8", subnet: { name: "", cidrBlock: "10.240.0.0/16" } },
        networkPlugin: "azure",
        loadBalancerSKU: "Standard",
        oidcIssuerProfile: { enabled: false },
        enablePreviewFeatures: false,
      },
    }));
  it("has all settings of an autoscaler that names one", () => {
    const parsed = controlPlane({ autoscalerProfile: { scanInterval: "20s" } });
    const profile = parsed.ok ? parsed.value.autoscalerProfile : undefined;
    expect(profile).toMatchObject({ scanInterval: "20s", expander: "random", skipNodesWithSystemPods: "true" });
    expect(Object.keys(profile ?? {})).toHaveLength(17);
  });
  it("has no defaults in what is not there", () => {
    const parsed = controlPlane({});
    for (const block of ["virtualNetwork", "autoscalerProfile", "identity", "sku", "fleetsMember"])
      expect(parsed).not.toHaveProperty(`value.${block}`);
  });
  it("has no key where a template gives an empty one", () =>
    expect(controlPlane({ sshPublicKey: "" })).not.toHaveProperty("value.sshPublicKey"));
  it("does not change the object", () => {
    const object = anObject("AzureManagedControlPlane", { spec: { virtualNetwork: { subnet: {} } } });
    parseAzureManagedControlPlane(object);
    expect(object.spec).toEqual({ virtualNetwork: { subnet: {} } });
  });
  it.each<{ readonly spec: JsonObject; readonly says: string }>([
    { spec: { location: 3 }, says: "spec.location: 3 must be a string" },
    { spec: { networkPolicy: "weave" }, says: 'spec.networkPolicy: "weave" must be one of azure, calico, cilium' },
    {
      spec: { autoscalerProfile: { maxNodeProvisionTime: "15s" } },
      says: 'spec.autoscalerProfile.maxNodeProvisionTime: "15s" must be minutes such as 10m',
    },
    {
      spec: { securityProfile: { imageCleaner: { enabled: true, intervalHours: 1 } } },
      says: "spec.securityProfile.imageCleaner.intervalHours: 1 must be at least 24",
    },
  ])("tells what is wrong: $says", ({ spec, says }) =>
    expect(controlPlane(spec)).toMatchObject({ error: [{ message: says, condition: "ManagedClusterRunning" }] }),
  );
});

describe("a node pool", () => {
  it("has the defaults of the API server", () =>
    expect(pool({})).toEqual({
      ok: true,
      value: {
        mode: "System",
        sku: "Standard_D2s_v3",
        osType: "Linux",
        osDiskType: "Managed",
        scaleDownMode: "Delete",
      },
    }));
  it("keeps that AKS scales it, however little is said, and a size of none", () => {
    expect(pool({ scaling: {} })).toHaveProperty("value.scaling", {});
    expect(pool({ scaling: { minSize: 0, maxSize: 3 } })).toHaveProperty("value.scaling", { minSize: 0, maxSize: 3 });
  });
  it("tells which limit is passed", () =>
    expect(pool({ linuxOSConfig: { sysctls: { vmSwappiness: 101 } } })).toMatchObject({
      error: [
        { message: "spec.linuxOSConfig.sysctls.vmSwappiness: 101 must be at most 100", condition: "AgentPoolsReady" },
      ],
    }));
});

it("lets resources of Azure Service Operator pass as they are", () => {
  const resources = [
    { apiVersion: "containerservice.azure.com/v1api20250801", kind: "ManagedCluster", spec: { dnsPrefix: "", x: {} } },
  ];
  expect(parseAzureAsoManagedControlPlane(anObject("AzureASOManagedControlPlane", { spec: { resources } }))).toEqual({
    ok: true,
    value: { resources },
  });
});

describe.each(Object.entries(parsers))("the parser of %s", (kind, parser) => {
  it("never throws", () => {
    const fields = Object.keys(schemas[kind]!.spec["properties" as never]);
    const anySpec = fc.oneof(fc.dictionary(fc.constantFrom(...fields, "x"), fc.anything()), fc.anything());
    fc.assert(
      fc.property(anySpec, (spec) => {
        expect(typeof parser({ ...anObject(kind), spec: spec as JsonObject }).ok).toBe("boolean");
      }),
    );
  });
});
