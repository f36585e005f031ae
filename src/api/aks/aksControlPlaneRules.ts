import { textAt, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import type { Rule } from "../schema.ts";
import { networkRange, subnetRange } from "./aksEffectiveNetwork.ts";

const network = networkRange("self");
const subnet = subnetRange("self");

/** What fields of a control plane demand of each other, also in a template. */
export const aksControlPlaneRules: readonly Rule[] = [
  ...unlessUnchanged(["networkPluginMode", "networkPlugin"], {
    rule: `!has(self.networkPluginMode) || self.networkPluginMode != 'overlay' || ${valueOr("networkPlugin", "'azure'")("self")} != 'kubenet'`,
    message: "must not be overlay with networkPlugin kubenet",
    fieldPath: ".networkPluginMode",
  }),
  ...unlessUnchanged(["networkPolicy", "networkDataplane"], {
    rule: `${textAt("networkPolicy")("self")} != 'cilium' || !has(self.networkDataplane) || self.networkDataplane == 'cilium'`,
    message: "must not be cilium with another networkDataplane",
    fieldPath: ".networkPolicy",
  }),
  ...unlessUnchanged(["networkDataplane", "networkPluginMode", "networkPolicy"], {
    rule: `${textAt("networkDataplane")("self")} != 'cilium' || ${textAt("networkPluginMode")("self")} == 'overlay' && ${textAt("networkPolicy")("self")} == 'cilium'`,
    message: "must not be cilium without networkPluginMode overlay and networkPolicy cilium",
    fieldPath: ".networkDataplane",
  }),
  ...unlessUnchanged(["virtualNetwork", "networkPluginMode"], {
    rule: `!isCIDR(${network}) || !isCIDR(${subnet}) || cidr(${network}).containsIP(${subnet}.split('/')[0])`,
    message: "must contain the range of its subnet, defaults included",
    messageExpression: `'must contain the range of its subnet: ' + ${network} + ' does not hold ' + ${subnet}`,
    fieldPath: ".virtualNetwork.cidrBlock",
  }),
  ...unlessUnchanged(["disableLocalAccounts", "aadProfile"], {
    rule: "!has(self.disableLocalAccounts) || has(self.aadProfile)",
    message: "must be absent without aadProfile",
    fieldPath: ".disableLocalAccounts",
  }),
  // Nobody could get in: neither a local account nor one of Microsoft Entra ID.
  ...unlessUnchanged(["disableLocalAccounts", "aadProfile"], {
    rule: `!${valueOr("disableLocalAccounts", "false")("self")} || ${valueOr("aadProfile.managed", "true")("self")}`,
    message: "must not be true unless aadProfile.managed is true",
    fieldPath: ".disableLocalAccounts",
  }),
  ...unlessUnchanged(["securityProfile", "identity"], {
    rule: `!has(self.securityProfile) || !has(self.securityProfile.azureKeyVaultKms) || ${valueOr("identity.type", "'SystemAssigned'")("self")} == 'UserAssigned'`,
    message: "must be absent unless identity.type is UserAssigned",
    fieldPath: ".securityProfile.azureKeyVaultKms",
  }),
  ...unlessUnchanged(["securityProfile", "oidcIssuerProfile"], {
    rule: `!has(self.securityProfile) || !has(self.securityProfile.workloadIdentity) || ${valueOr("oidcIssuerProfile.enabled", "false")("self")}`,
    message: "must be absent unless oidcIssuerProfile.enabled is true",
    fieldPath: ".securityProfile.workloadIdentity",
  }),
];
