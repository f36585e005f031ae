import { same } from "../cel/change.ts";
import { given, type Part, textOr } from "../cel/parts.ts";
import type { Rule } from "../schema.ts";
import { notBelow } from "./aksVersion.ts";

/** Rules of a control plane that need its name or its status, hence about the whole object. */

const orName =
  (path: string): Part =>
  (object) =>
    textOr(path, `${object}.metadata.name`)(`${object}.spec`);

/** A name in Azure that never changes; what is left out is the object's name. */
const nameStays = (path: string): Rule => ({
  rule: same(orName(path))("self", "oldSelf"),
  message: "must stay as it is, or be empty where it is the object's name",
  messageExpression: `'must stay ' + ${orName(path)("oldSelf")}`,
  fieldPath: `.spec.${path}`,
});

// https://learn.microsoft.com/azure/aks/ : 1 to 54 letters, digits and hyphens; a provider never took one letter.
export const dnsPrefixPattern = "^[a-zA-Z0-9][a-zA-Z0-9-]{0,52}[a-zA-Z0-9]$";

export const aksControlPlaneNames: readonly Rule[] = [
  {
    rule: `oldSelf.hasValue() || ${given("dnsPrefix")("self.spec")} || self.metadata.name.matches('${dnsPrefixPattern}')`,
    message:
      "must be given where the object's name cannot serve: it is not of 2 to 54 letters, digits and inner hyphens",
    fieldPath: ".spec.dnsPrefix",
    optionalOldSelf: true,
  },
  nameStays("dnsPrefix"),
  nameStays("virtualNetwork.name"),
  nameStays("virtualNetwork.subnet.name"),
  {
    rule: `self.spec.version == oldSelf.spec.version || !${given("status.autoUpgradeVersion")("self")} || ${notBelow("self.spec.version", "self.status.autoUpgradeVersion")}`,
    message: "must not be below status.autoUpgradeVersion, to which AKS has upgraded the cluster",
    messageExpression:
      "'must not be below ' + self.status.autoUpgradeVersion + ', to which AKS has upgraded the cluster'",
    fieldPath: ".spec.version",
  },
];
