import { same, sameList } from "../cel/change.ts";
import {
  type ChangeRule,
  flagStays,
  partStays,
  stays,
  textStays,
  valueStays,
  valueStaysOnceSet,
} from "../cel/changeRule.ts";
import { type Part, textAt, textOr, valueOr } from "../cel/parts.ts";
import { rangesStay } from "./aksEffectiveNetwork.ts";
import { versionRises } from "./aksVersion.ts";

/** What of a control plane may not change. Names and groups whose default takes more than the spec are elsewhere. */

const byAzure = "AKS fixes it when the cluster is made";

const flagAt = (path: string): Part => valueOr(path, "false");

/** How the API server is reached, but for the ranges that may. */
const accessStays: readonly ChangeRule[] = [
  flagStays("apiServerAccessProfile.enablePrivateCluster", byAzure),
  textStays("apiServerAccessProfile.privateDNSZone", byAzure),
  valueStays("apiServerAccessProfile.enablePrivateClusterPublicFQDN", byAzure),
];

/** Sign-in with Microsoft Entra ID cannot be taken back. */
const signInStays: readonly ChangeRule[] = [
  partStays("aadProfile", "AKS cannot turn sign-in with Microsoft Entra ID off again"),
  {
    field: "aadProfile.managed",
    holds: (now, was) => `!${flagAt("aadProfile.managed")(was)} || ${valueOr("aadProfile.managed", "true")(now)}`,
    message: "must stay true: AKS cannot hand sign-in back",
  },
  {
    field: "aadProfile.adminGroupObjectIDs",
    // An empty list may stay, since it could be made: access is then by Azure roles.
    holds: (now, was) =>
      `!has(${now}.aadProfile) || !has(${was}.aadProfile) || size(${was}.aadProfile.adminGroupObjectIDs) == 0 || size(${now}.aadProfile.adminGroupObjectIDs) > 0`,
    message: "must keep at least one group",
  },
];

const protectionStays: readonly ChangeRule[] = ["azureKeyVaultKms", "defender", "imageCleaner", "workloadIdentity"].map(
  (block) => partStays(`securityProfile.${block}`, "set its enabled to false instead"),
);

/** What neither a control plane nor a template changes. */
const everywhere: readonly ChangeRule[] = [
  versionRises,
  textStays("subscriptionID", "a cluster cannot move to another subscription"),
  textStays("location", "a cluster cannot move to another region"),
  textStays("networkPlugin", byAzure),
  textStays("networkPolicy", byAzure),
  textStays("networkDataplane", byAzure),
  textStays("dnsServiceIP", byAzure),
  textStays("loadBalancerSKU", byAzure),
  textStays("outboundType", byAzure),
  ...rangesStay,
  ...accessStays,
  ...signInStays,
  ...protectionStays,
];

const issues = flagAt("oidcIssuerProfile.enabled");
const key = textAt("sshPublicKey");

export const aksControlPlaneChanges: readonly ChangeRule[] = [
  ...everywhere,
  stays(
    "azureEnvironment",
    same(textOr("azureEnvironment", "'AzurePublicCloud'")),
    "must stay as it is, where absent means AzurePublicCloud: a cluster cannot move to another cloud",
  ),
  {
    field: "sshPublicKey",
    // An earlier provider wrote a key of its own making in place of "".
    holds: (now, was) => `${same(key)(now, was)} || has(${now}.sshPublicKey) && ${now}.sshPublicKey == ''`,
    message: `must stay as it is, or be "" for whatever key there is: ${byAzure}`,
  },
  textStays("httpProxyConfig.httpProxy", byAzure),
  textStays("httpProxyConfig.httpsProxy", byAzure),
  textStays("httpProxyConfig.trustedCa", byAzure),
  stays(
    "httpProxyConfig.noProxy",
    sameList("httpProxyConfig.noProxy"),
    `must stay as it is, order and absence included: ${byAzure}`,
  ),
  valueStaysOnceSet("disableLocalAccounts", "AKS does not take it back"),
  {
    field: "addonProfiles",
    holds: (now, was) =>
      `!has(${was}.addonProfiles) || ${was}.addonProfiles.all(old, has(${now}.addonProfiles) && ${now}.addonProfiles.exists(addon, addon.name == old.name))`,
    message: "must keep every add-on: set its enabled to false instead",
  },
  {
    field: "networkPluginMode",
    holds: (now, was) =>
      `!has(${now}.networkPluginMode) || has(${was}.networkPluginMode) || !has(${was}.networkPolicy)`,
    message: "must not become overlay where there is a networkPolicy: AKS cannot change over with one",
  },
  partStays("autoUpgradeProfile.upgradeChannel", "set it to none instead"),
  {
    field: "oidcIssuerProfile.enabled",
    holds: (now, was) => `!${issues(was)} || ${issues(now)}`,
    message: "must stay true: AKS cannot turn the issuer off again",
  },
];

/** What a template does not change; the rest may be edited in place and reaches every cluster of the class. */
export const aksControlPlaneTemplateChanges: readonly ChangeRule[] = [
  ...everywhere,
  textStays("virtualNetwork.subnet.name", "clusters of the class have it"),
];
