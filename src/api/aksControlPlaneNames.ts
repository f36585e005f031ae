import { givenOr, isGiven } from "./aksChange.ts";
import { notBelow } from "./aksVersion.ts";
import type { Rule } from "./schema.ts";

/** Rules of a control plane that need its name or its status, hence about the whole object. */

const orName = (object: string, path: string): string => givenOr(`${object}.spec`, path, `${object}.metadata.name`);

/** A name in Azure that never changes; what is left out is the object's name. */
const nameStays = (path: string): Rule => ({
  rule: `${orName("self", path)} == ${orName("oldSelf", path)}`,
  message: "must stay as it is, or be empty where it is the object's name",
  messageExpression: `'must stay ' + ${orName("oldSelf", path)}`,
  fieldPath: `.spec.${path}`,
});

// https://learn.microsoft.com/azure/aks/ : 1 to 54 letters, digits and hyphens; a provider never took one letter.
export const dnsPrefixPattern = "^[a-zA-Z0-9][a-zA-Z0-9-]{0,52}[a-zA-Z0-9]$";

export const aksControlPlaneNames: readonly Rule[] = [
  {
    rule: `oldSelf.hasValue() || ${isGiven("self.spec", "dnsPrefix")} || self.metadata.name.matches('${dnsPrefixPattern}')`,
    message:
      "must be given where the object's name cannot serve: it is not of 2 to 54 letters, digits and inner hyphens",
    fieldPath: ".spec.dnsPrefix",
    optionalOldSelf: true,
  },
  nameStays("dnsPrefix"),
  nameStays("virtualNetwork.name"),
  nameStays("virtualNetwork.subnet.name"),
  {
    rule: `self.spec.version == oldSelf.spec.version || !${isGiven("self", "status.autoUpgradeVersion")} || ${notBelow("self.spec.version", "self.status.autoUpgradeVersion")}`,
    message: "must not be below status.autoUpgradeVersion, to which AKS has upgraded the cluster",
    messageExpression:
      "'must not be below ' + self.status.autoUpgradeVersion + ', to which AKS has upgraded the cluster'",
    fieldPath: ".spec.version",
  },
];
