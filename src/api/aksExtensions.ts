import { Type } from "typebox";
import { flag, map, oneOf, text } from "./schema.ts";

/** What Azure adds to a managed cluster: add-ons, extensions, membership in a fleet. */

/** One add-on of AKS. Cannot be taken from the list again, only disabled. */
export const aksAddonProfile = Type.Object({
  name: text("Name as AKS knows it, such as `omsagent` or `azurepolicy`."),
  enabled: flag("Whether it runs."),
  config: Type.Optional(map("Settings of the add-on.", Type.String())),
});

const plan = Type.Object(
  {
    name: Type.Optional(text("Name of the plan; cluster and product joined by a hyphen when absent.")),
    product: Type.Optional(text("Product of the publisher.")),
    promotionCode: Type.Optional(text("Promotion code.")),
    publisher: Type.Optional(text("Publisher in the marketplace.")),
    version: Type.Optional(text("Version of the plan.")),
  },
  { description: "Plan of the marketplace under which the extension is bought." },
);

const scope = Type.Object(
  {
    scopeType: oneOf("Whether it serves the whole cluster or one namespace.", ["Cluster", "Namespace"]),
    releaseNamespace: Type.Optional(text("Namespace of the release; needed with `Cluster`.")),
    targetNamespace: Type.Optional(text("Namespace that it serves; needed with `Namespace`.")),
  },
  { description: "Where in the cluster the extension lives." },
);

/** One cluster extension (`Microsoft.KubernetesConfiguration/extensions`). */
export const aksExtension = Type.Object({
  name: text("Name in Azure."),
  extensionType: text("What it is, such as `microsoft.flux`."),
  aksAssignedIdentityType: Type.Optional(
    oneOf("Kind of the identity that AKS gives it.", ["SystemAssigned", "UserAssigned"]),
  ),
  autoUpgradeMinorVersion: Type.Optional(
    flag("Whether minor versions are taken by themselves; excludes `version`.", { default: true }),
  ),
  configurationSettings: Type.Optional(map("Settings of the extension.", Type.String())),
  identity: Type.Optional(oneOf("Identity of the extension.", ["SystemAssigned"])),
  plan: Type.Optional(plan),
  releaseTrain: Type.Optional(text("Train of releases, such as `Stable` or `Preview`.")),
  scope: Type.Optional(scope),
  version: Type.Optional(text("Version to stay at; needs `autoUpgradeMinorVersion: false`.")),
});

/** Membership in a fleet of Azure Kubernetes Fleet Manager. */
export const aksFleetsMember = Type.Object(
  {
    name: Type.Optional(text("Name of the member; that of the Cluster when absent.")),
    group: Type.Optional(text("Update group of the member.", { default: "default" })),
    managerName: text("Name of the fleet."),
    managerResourceGroup: text("Resource group of the fleet."),
  },
  { description: "Membership in a fleet; ends when this is taken away." },
);
