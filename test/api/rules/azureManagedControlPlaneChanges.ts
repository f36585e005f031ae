import type { Json, JsonObject } from "../../../src/core/types.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";

const spec = (fields: JsonObject): JsonObject => ({ spec: fields });
const nested = (path: string, value: Json): JsonObject =>
  path.split(".").reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;

/** A field that stays: from one value, to the same by another way, or to another. */
const stays = (path: string, from: Json, accepts: Json, refuses: Json, rule = "must stay"): RuleCase => ({
  rule,
  field: `spec.${path}`,
  from: spec(nested(path, from)),
  accepts: spec(nested(path, accepts)),
  refuses: spec(nested(path, refuses)),
});

const plain: readonly RuleCase[] = [
  stays("subscriptionID", "s", "s", null),
  stays("subscriptionID", "", null, "s"),
  stays("location", "eastus", "eastus", "westus"),
  stays("networkPlugin", "azure", null, "kubenet"),
  stays("networkPolicy", "calico", "calico", null),
  stays("networkPolicy", null, null, "calico"),
  stays("networkDataplane", null, null, "azure"),
  stays("dnsServiceIP", "192.168.0.10", "192.168.0.10", "192.168.1.10"),
  stays("loadBalancerSKU", "Standard", null, "Basic"),
  stays("outboundType", "loadBalancer", "loadBalancer", "userDefinedRouting"),
  stays("azureEnvironment", null, "AzurePublicCloud", "AzureChinaCloud"),
  stays("azureEnvironment", "AzureChinaCloud", "AzureChinaCloud", null),
  stays("sshPublicKey", "a2V5", "", null),
  stays("sshPublicKey", "", null, "a2V5"),
  stays("httpProxyConfig.httpProxy", "http://a", "http://a", "http://b"),
  stays("httpProxyConfig.httpsProxy", "http://a", "http://a", "http://b"),
  stays("httpProxyConfig.trustedCa", "", null, "ca"),
  stays("httpProxyConfig.noProxy", ["a", "b"], ["a", "b"], ["a"]),
  stays("apiServerAccessProfile.enablePrivateCluster", null, false, true),
  stays("apiServerAccessProfile.privateDNSZone", "System", "System", "None"),
  stays("apiServerAccessProfile.enablePrivateClusterPublicFQDN", false, false, null),
  stays("oidcIssuerProfile.enabled", true, true, false),
];

const network = "virtualNetwork";
const byDefault: readonly RuleCase[] = [
  stays("dnsPrefix", null, "aks", "other", "must stay aks"),
  stays("dnsPrefix", "other", "other", "", "must stay other"),
  stays(`${network}.name`, "aks", "", "other", "must stay aks"),
  stays(`${network}.subnet.name`, "", "aks", "other", "must stay aks"),
  {
    // As an earlier provider stored it, and as the user wrote it.
    rule: "must stay mine",
    field: "spec.virtualNetwork.name",
    from: spec({ virtualNetwork: { name: "mine" } }),
    accepts: spec({ virtualNetwork: { subnet: { name: "aks", cidrBlock: "10.240.0.0/16" } } }),
    refuses: spec({ virtualNetwork: null }),
  },
  {
    rule: "must stay 10.0.0.0/8",
    field: "spec.virtualNetwork.cidrBlock",
    from: spec({ virtualNetwork: { name: "aks", cidrBlock: "10.0.0.0/8", resourceGroup: "demo" } }),
    accepts: spec({ virtualNetwork: null }),
    refuses: spec({ virtualNetwork: { cidrBlock: "10.128.0.0/9" } }),
  },
  {
    // With the overlay the default is another.
    rule: "must stay 10.240.0.0/16",
    field: "spec.virtualNetwork.subnet.cidrBlock",
    from: spec({ virtualNetwork: { name: "aks" } }),
    accepts: spec({ virtualNetwork: { subnet: {} }, networkPluginMode: "overlay" }),
    refuses: spec({ networkPluginMode: "overlay" }),
  },
  {
    rule: "must stay 10.224.0.0/12",
    field: "spec.virtualNetwork.cidrBlock",
    from: spec({ networkPluginMode: "overlay" }),
    accepts: spec({ virtualNetwork: { cidrBlock: "10.224.0.0/12", subnet: { cidrBlock: "10.224.0.0/16" } } }),
    refuses: spec({ virtualNetwork: { cidrBlock: "10.0.0.0/8", subnet: { cidrBlock: "10.224.0.0/16" } } }),
  },
  stays("resourceGroupName", "", "demo", "other", "must stay demo"),
  stays("resourceGroupName", "other", "other", "", "must stay other"),
  {
    rule: "must stay demo",
    field: "spec.resourceGroupName",
    from: {},
    accepts: { metadata: { labels: null } },
    refuses: { metadata: { labels: { "cluster.x-k8s.io/cluster-name": "another" } } },
  },
  {
    // Nothing is made before the label is there.
    rule: "must stay demo",
    field: "spec.resourceGroupName",
    from: { metadata: { labels: { "cluster.x-k8s.io/cluster-name": "demo" } } },
    accepts: spec({ resourceGroupName: "demo" }),
    refuses: spec({ resourceGroupName: "group" }),
  },
  stays("nodeResourceGroupName", null, "MC_demo_aks_eastus", "nodes", "must stay MC_demo_aks_eastus"),
  stays("nodeResourceGroupName", "nodes", "nodes", "", "must stay nodes"),
  stays(`${network}.resourceGroup`, null, "demo", "other", "must stay demo"),
  {
    rule: "must stay as it is, or be empty where it is the name of the Cluster",
    field: "spec.fleetsMember.name",
    from: spec({ fleetsMember: { managerName: "fleet", managerResourceGroup: "group" } }),
    accepts: spec({ fleetsMember: { name: "demo", group: "other", managerName: "other" } }),
    refuses: spec({ fleetsMember: { name: "other" } }),
  },
  {
    rule: "must stay as it is, or be empty where it is the name of the Cluster",
    field: "spec.fleetsMember.name",
    from: spec({ fleetsMember: { name: "other", managerName: "fleet", managerResourceGroup: "group" } }),
    accepts: spec({ fleetsMember: null }),
    refuses: spec({ fleetsMember: { name: "" } }),
  },
];

const aad = (managed: boolean, groups: readonly string[]): JsonObject => ({
  aadProfile: { managed, adminGroupObjectIDs: groups },
});
const protect = (securityProfile: JsonObject): JsonObject => ({
  identity: { type: "UserAssigned", userAssignedIdentityResourceID: "id" },
  oidcIssuerProfile: { enabled: true },
  securityProfile,
});
const block = (name: string, value: JsonObject): RuleCase => ({
  rule: "must not be taken away: set its enabled to false instead",
  field: `spec.securityProfile.${name}`,
  from: spec(protect({ [name]: { enabled: true, ...value } })),
  accepts: spec(protect({ [name]: { enabled: false } })),
  refuses: spec(protect({ [name]: null })),
});
const addons = (...names: readonly string[]): JsonObject =>
  spec({ addonProfiles: names.map((name) => ({ name, enabled: true })) });

const oneWay: readonly RuleCase[] = [
  {
    rule: "must not be below 1.35.2, to which AKS has upgraded the cluster",
    field: "spec.version",
    from: { status: { autoUpgradeVersion: "1.35.2" } },
    accepts: spec({ version: "v1.35.2" }),
    refuses: spec({ version: "v1.35.1" }),
  },
  {
    rule: "must not go below v1.34.1",
    field: "spec.version",
    from: {},
    accepts: spec({ version: "1.34.10" }),
    refuses: spec({ version: "v1.34.0" }),
  },
  {
    rule: "must not go below v1.34.1",
    field: "spec.version",
    from: {},
    accepts: spec({ version: "1.34.1" }),
    refuses: spec({ version: "v1.9.10" }),
  },
  {
    rule: "must stay once it is set",
    field: "spec.disableLocalAccounts",
    from: spec({ ...aad(true, ["g"]), disableLocalAccounts: true }),
    accepts: spec({ disableLocalAccounts: true }),
    refuses: spec({ disableLocalAccounts: false }),
  },
  {
    rule: "must not be taken away: AKS cannot turn sign-in",
    field: "spec.aadProfile",
    from: spec(aad(true, ["g"])),
    accepts: spec(aad(true, ["h"])),
    refuses: spec({ aadProfile: null }),
  },
  {
    rule: "must stay true: AKS cannot hand sign-in back",
    field: "spec.aadProfile.managed",
    from: spec(aad(true, ["g"])),
    accepts: spec(aad(true, ["g"])),
    refuses: spec(aad(false, ["g"])),
  },
  {
    rule: "must keep at least one group",
    field: "spec.aadProfile.adminGroupObjectIDs",
    from: spec(aad(true, ["g"])),
    accepts: spec(aad(true, ["h"])),
    refuses: spec(aad(true, [])),
  },
  {
    rule: "must stay true: AKS cannot turn the issuer off again",
    field: "spec.oidcIssuerProfile.enabled",
    from: spec({ oidcIssuerProfile: { enabled: true } }),
    accepts: spec({ oidcIssuerProfile: { enabled: true } }),
    refuses: spec({ oidcIssuerProfile: null }),
  },
  block("azureKeyVaultKms", { keyID: "key" }),
  block("defender", { logAnalyticsWorkspaceResourceID: "id", securityMonitoring: { enabled: true } }),
  block("imageCleaner", {}),
  block("workloadIdentity", {}),
  {
    rule: "must not be taken away: set its enabled to false instead",
    field: "spec.securityProfile.imageCleaner",
    from: spec({ securityProfile: { imageCleaner: { enabled: true } } }),
    accepts: spec({ securityProfile: { imageCleaner: { enabled: false } } }),
    refuses: spec({ securityProfile: null }),
  },
  {
    rule: "must keep every add-on: set its enabled to false instead",
    field: "spec.addonProfiles",
    from: addons("omsagent"),
    accepts: addons("azurepolicy", "omsagent"),
    refuses: addons("azurepolicy"),
  },
  {
    rule: "must keep every add-on: set its enabled to false instead",
    field: "spec.addonProfiles",
    from: addons("omsagent"),
    accepts: spec({ addonProfiles: [{ name: "omsagent", enabled: false }] }),
    refuses: spec({ addonProfiles: null }),
  },
  {
    rule: "must not become overlay where there is a networkPolicy",
    field: "spec.networkPluginMode",
    from: spec({ networkPolicy: "calico", virtualNetwork: { subnet: {} } }),
    accepts: spec({ version: "v1.34.2" }),
    refuses: spec({ networkPluginMode: "overlay" }),
  },
  {
    rule: "must not be taken away: set it to none instead",
    field: "spec.autoUpgradeProfile.upgradeChannel",
    from: spec({ autoUpgradeProfile: { upgradeChannel: "patch" } }),
    accepts: spec({ autoUpgradeProfile: { upgradeChannel: "none" } }),
    refuses: spec({ autoUpgradeProfile: null }),
  },
];

const extension = (fields: JsonObject, name = "flux"): JsonObject =>
  spec({ extensions: [{ name, extensionType: "microsoft.flux", ...fields }] });
const extensionStays = (field: string, from: JsonObject, accepts: JsonObject, refuses: JsonObject): RuleCase => ({
  rule: "must ",
  field: `spec.extensions[0].${field}`,
  from: extension(from),
  accepts: extension(accepts),
  refuses: extension(refuses),
});
const plan = (fields: JsonObject): JsonObject => ({ plan: { product: "p", ...fields } });
const pinned = { autoUpgradeMinorVersion: false };
const cluster = { scopeType: "Cluster", releaseNamespace: "a" };

const extensions: readonly RuleCase[] = [
  extensionStays("extensionType", {}, { configurationSettings: { a: "b" } }, { extensionType: "other" }),
  extensionStays("plan", plan({}), {}, plan({ product: "q" })),
  extensionStays("plan", plan({ publisher: "p" }), plan({ publisher: "p" }), plan({})),
  extensionStays("plan", plan({ version: "1" }), plan({ version: "1" }), plan({ version: "2" })),
  extensionStays("plan", plan({ promotionCode: "c" }), plan({ promotionCode: "c" }), plan({ promotionCode: "d" })),
  extensionStays("releaseTrain", { releaseTrain: "Stable" }, {}, { releaseTrain: "Preview" }),
  extensionStays("version", { ...pinned, version: "1" }, {}, { ...pinned, version: "2" }),
  extensionStays("identity", { identity: "SystemAssigned" }, { identity: "SystemAssigned" }, {}),
  extensionStays(
    "scope",
    { scope: cluster },
    { scope: cluster, aksAssignedIdentityType: "UserAssigned" },
    {
      scope: { scopeType: "Cluster", releaseNamespace: "b" },
    },
  ),
  {
    rule: "must keep plan.name",
    field: "spec.extensions",
    from: extension(plan({ name: "aks-p" })),
    accepts: extension(plan({})),
    refuses: extension(plan({ name: "other" })),
  },
  {
    rule: "must stay as it is: remove the extension",
    field: "spec.extensions[0].extensionType",
    from: extension({}),
    accepts: extension({ extensionType: "other" }, "another"),
    refuses: extension({ extensionType: "other" }),
  },
];

/** What may be changed of a control plane that exists, and what may not. */
export const controlPlaneChangeCases: readonly RuleCase[] = [...plain, ...byDefault, ...oneWay, ...extensions];
