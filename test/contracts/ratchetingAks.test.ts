import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { apiVersionOf, infrastructureKinds, kindEntry } from "../../src/api/registry.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { parseObjects } from "../../src/sim/controlPlane/kubeObject.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { patched } from "../support/admission/admissionServer.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";
import { type AnObject, create, patch, patchStatus, read, remove, storedIn } from "../support/apiObjects.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

/** Objects of AKS kinds that break rules of ours and were there before the rules: they stay open to other changes. */

const anObject = (kind: string, name: string, changes: JsonObject): AnObject => {
  const apiVersion = apiVersionOf(kindEntry(kind)!);
  return { apiVersion, kind, name, body: patched({ apiVersion, kind, metadata: { name } }, changes) };
};

const spec = { identityRef: { name: "i" }, location: "eastus", version: "v1.34.1", resourceGroupName: "g" };
const controlPlane = (name: string, fields: JsonObject): AnObject =>
  anObject("AzureManagedControlPlane", name, { spec: { ...spec, ...fields } });
const pool = (name: string, fields: JsonObject): AnObject =>
  anObject("AzureManagedMachinePool", name, { spec: { mode: "User", sku: "Standard_D2s_v3", ...fields } });
const controlPlaneTemplate = (name: string, fields: JsonObject): AnObject =>
  anObject("AzureManagedControlPlaneTemplate", name, { spec: { template: { spec: { ...spec, ...fields } } } });
const poolTemplate = (name: string, fields: JsonObject): AnObject =>
  anObject("AzureManagedMachinePoolTemplate", name, {
    spec: { template: { spec: { mode: "User", sku: "Standard_D2s_v3", ...fields } } },
  });

const flux = { name: "flux", extensionType: "microsoft.flux" };
/** What each of these has, no new object may have. */
const oddFields: Readonly<Record<string, JsonObject>> = {
  overlay: { networkPluginMode: "overlay", networkPlugin: "kubenet" },
  cilium: { networkDataplane: "cilium", networkPolicy: "calico" },
  policy: { networkDataplane: "azure", networkPolicy: "cilium" },
  outside: { virtualNetwork: { name: "v", cidrBlock: "10.0.0.0/16", subnet: { name: "s", cidrBlock: "10.9.0.0/16" } } },
  ranges: { virtualNetwork: { name: "v", cidrBlock: "ten", subnet: { name: "s", cidrBlock: "eleven" } } },
  accounts: { disableLocalAccounts: true },
  kms: { securityProfile: { azureKeyVaultKms: { enabled: true, keyID: "k", keyVaultNetworkAccess: "Private" } } },
  workload: { securityProfile: { workloadIdentity: { enabled: true } } },
  identity: { identity: { type: "UserAssigned" } },
  balancer: { loadBalancerProfile: { managedOutboundIPs: 200, outboundIPs: ["a"], idleTimeoutInMinutes: 1 } },
  access: { apiServerAccessProfile: { authorizedIPRanges: ["1.2.3.4"], privateDNSZone: "mine" } },
  scaler: { autoscalerProfile: { maxEmptyBulkDelete: "few", scaleDownUtilizationThreshold: "2" } },
  extensions: { extensions: [{ ...flux, version: "1" }, flux] },
  scope: { extensions: [{ ...flux, scope: { scopeType: "Cluster", targetNamespace: "n" } }] },
  addons: {
    addonProfiles: [
      { name: "omsagent", enabled: true },
      { name: "omsagent", enabled: false },
    ],
  },
  version: { version: "1.34" },
};
const own: Readonly<Record<string, JsonObject>> = {
  key: { sshPublicKey: "no base64!" },
  prefix: { dnsPrefix: "-" },
  address: { dnsServiceIP: "10.0.0.11" },
  nodes: { nodeResourceGroupName: "n".repeat(90) },
  group: { resourceGroupName: "g".repeat(80) },
  fleet: { fleetsMember: { name: "F", managerName: "m", managerResourceGroup: "g" } },
  groups: { aadProfile: { managed: true, adminGroupObjectIDs: [] } },
};
const poolFields: Readonly<Record<string, JsonObject>> = {
  windows: { mode: "System", osType: "Windows", name: "toolongone" },
  pods: { maxPods: 5 },
  prefix: { nodePublicIPPrefixID: "prefix" },
  kubelet: {
    kubeletConfig: { imageGcLowThreshold: 90, imageGcHighThreshold: 10, allowedUnsafeSysctls: ["vm.x"] },
  },
  swap: { linuxOSConfig: { swapFileSizeMB: 1, sysctls: { netIpv4IPLocalPortRange: "1" } } },
  subnet: { subnetName: "-" },
  labels: { nodeLabels: { "kubernetes.azure.com/a": "b" } },
  taints: {
    taints: [
      { key: "a", value: "b", effect: "NoSchedule" },
      { key: "a", value: "c", effect: "NoSchedule" },
    ],
  },
};

const all = (make: (name: string, fields: JsonObject) => AnObject, fields: Readonly<Record<string, JsonObject>>) =>
  Object.entries(fields).map(([name, changes]) => make(name, changes));

const objects = [
  ...all(controlPlane, { ...oddFields, ...own, "my-windows": {}, "a.name": {} }),
  ...all(controlPlaneTemplate, oddFields),
  ...all(pool, { ...poolFields, "not-a-name": {} }),
  ...all(poolTemplate, poolFields),
].map((object) => ({ object, title: `${object.kind} ${object.name}` }));

const isTemplate = ({ kind }: AnObject): boolean => kind.endsWith("Template");
const inSpec = (object: AnObject, fields: JsonObject): JsonObject => ({
  spec: isTemplate(object) ? { template: { spec: fields } } : fields,
});

describeWithShared("an object that was there before the rules", () => {
  let server: ControlPlane;
  beforeAll(async () => {
    server = await startControlPlane({ controllerManager: false });
    const folder = join(sharedDir, "contract", "crds");
    await applyCrds(
      server.api,
      readdirSync(folder).flatMap((file) => parseObjects(readFileSync(join(folder, file), "utf8"), file)),
    );
    for (const { object } of objects) storedIn(await create(server.api, object));
    await applyCrds(
      server.api,
      infrastructureKinds.map((entry) => crd(entry)),
    );
    await installPolicies(server.api);
  });
  afterAll(() => server?.stop());

  it.each(objects.filter(({ object }) => object.name !== "groups"))(
    "would be refused today: $title",
    async ({ object }) => {
      const anew = { ...object, body: patched(object.body, { metadata: { namespace: "kube-public" } }) };
      expect((await create(server.api, { ...anew, namespace: "kube-public" }, { dryRun: true })).status).toBe(422);
    },
  );

  it.each(objects)("takes finalizer, label and tag: $title", async ({ object }) => {
    storedIn(await patch(server.api, object, { metadata: { finalizers: ["a.example.org/b"], labels: { a: "b" } } }));
    storedIn(await patch(server.api, object, inSpec(object, { additionalTags: { a: "b" } })));
  });

  it.each(objects.filter(({ object }) => !isTemplate(object)))(
    "takes what a provider writes: $title",
    async ({ object }) => {
      storedIn(await patchStatus(server.api, object, { ready: true }));
      const isPool = object.kind === "AzureManagedMachinePool";
      const written = isPool ? { providerIDList: ["a"] } : { controlPlaneEndpoint: { host: "h", port: 443 } };
      storedIn(await patch(server.api, object, { spec: written }));
    },
  );

  it.each(objects)("is finalized and deleted: $title", async ({ object }) => {
    await remove(server.api, object);
    storedIn(await patch(server.api, object, { metadata: { finalizers: null } }));
    await expect(read(server.api, object)).rejects.toThrow("404");
  });
});
