import { networkRange, subnetRange } from "./aksEffectiveNetwork.ts";
import { askedOnChange } from "./askedOnChange.ts";
import type { Rule } from "./schema.ts";

const network = networkRange("self");
const subnet = subnetRange("self");

/** What fields of a control plane demand of each other, also in a template. */
export const aksControlPlaneRules: readonly Rule[] = [
  ...askedOnChange(["networkPluginMode", "networkPlugin"], {
    rule: "!has(self.networkPluginMode) || self.networkPluginMode != 'overlay' || self.?networkPlugin.orValue('azure') != 'kubenet'",
    message: "must not be overlay with networkPlugin kubenet",
    fieldPath: ".networkPluginMode",
  }),
  ...askedOnChange(["networkPolicy", "networkDataplane"], {
    rule: "self.?networkPolicy.orValue('') != 'cilium' || !has(self.networkDataplane) || self.networkDataplane == 'cilium'",
    message: "must not be cilium with another networkDataplane",
    fieldPath: ".networkPolicy",
  }),
  ...askedOnChange(["networkDataplane", "networkPluginMode", "networkPolicy"], {
    rule: "self.?networkDataplane.orValue('') != 'cilium' || self.?networkPluginMode.orValue('') == 'overlay' && self.?networkPolicy.orValue('') == 'cilium'",
    message: "must not be cilium without networkPluginMode overlay and networkPolicy cilium",
    fieldPath: ".networkDataplane",
  }),
  ...askedOnChange(["virtualNetwork", "networkPluginMode"], {
    rule: `!isCIDR(${network}) || !isCIDR(${subnet}) || cidr(${network}).containsIP(${subnet}.split('/')[0])`,
    message: "must contain the range of its subnet, defaults included",
    messageExpression: `'must contain the range of its subnet: ' + ${network} + ' does not hold ' + ${subnet}`,
    fieldPath: ".virtualNetwork.cidrBlock",
  }),
  ...askedOnChange(["disableLocalAccounts", "aadProfile"], {
    rule: "!has(self.disableLocalAccounts) || has(self.aadProfile)",
    message: "must be absent without aadProfile",
    fieldPath: ".disableLocalAccounts",
  }),
  // Nobody could get in: neither a local account nor one of Microsoft Entra ID.
  ...askedOnChange(["disableLocalAccounts", "aadProfile"], {
    rule: "!self.?disableLocalAccounts.orValue(false) || self.?aadProfile.?managed.orValue(true)",
    message: "must not be true unless aadProfile.managed is true",
    fieldPath: ".disableLocalAccounts",
  }),
  ...askedOnChange(["securityProfile", "identity"], {
    rule: "!has(self.securityProfile) || !has(self.securityProfile.azureKeyVaultKms) || self.?identity.?type.orValue('SystemAssigned') == 'UserAssigned'",
    message: "must be absent unless identity.type is UserAssigned",
    fieldPath: ".securityProfile.azureKeyVaultKms",
  }),
  ...askedOnChange(["securityProfile", "oidcIssuerProfile"], {
    rule: "!has(self.securityProfile) || !has(self.securityProfile.workloadIdentity) || self.?oidcIssuerProfile.?enabled.orValue(false)",
    message: "must be absent unless oidcIssuerProfile.enabled is true",
    fieldPath: ".securityProfile.workloadIdentity",
  }),
];
