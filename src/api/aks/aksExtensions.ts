import { Type } from "typebox";
import { unlessBoth } from "../cel/change.ts";
import { type ChangeRule, stays, textStays, transition, valueStays } from "../cel/changeRule.ts";
import { given, present, textAt, valueOr } from "../cel/parts.ts";
import { flag, map, oneOf, ruled, text } from "../schema.ts";

/** What Azure adds to a managed cluster: add-ons, extensions, membership in a fleet. */

/** Longest name of an add-on, an extension or a plan that is taken; real ones have up to 63 characters. */
const longName = 128;

/** One add-on of AKS. Cannot be taken from the list again, only disabled. */
export const aksAddonProfile = Type.Object({
  name: text("Name as AKS knows it, such as `omsagent` or `azurepolicy`.", { maxLength: longName }),
  enabled: flag("Whether it runs."),
  config: Type.Optional(map("Settings of the add-on.", Type.String())),
});

const plan = Type.Object(
  {
    name: Type.Optional(
      text("Name of the plan; cluster and product joined by a hyphen when absent.", { maxLength: longName }),
    ),
    product: Type.Optional(text("Product of the publisher.", { maxLength: longName })),
    promotionCode: Type.Optional(text("Promotion code.", { maxLength: longName })),
    publisher: Type.Optional(text("Publisher in the marketplace.", { maxLength: longName })),
    version: Type.Optional(text("Version of the plan.", { maxLength: longName })),
  },
  { description: "Plan of the marketplace under which the extension is bought." },
);

const scope = ruled(
  Type.Object(
    {
      scopeType: oneOf("Whether it serves the whole cluster or one namespace.", ["Cluster", "Namespace"]),
      releaseNamespace: Type.Optional(
        text("Namespace of the release; needed with `Cluster`.", { maxLength: longName }),
      ),
      targetNamespace: Type.Optional(
        text("Namespace that it serves; needed with `Namespace`.", { maxLength: longName }),
      ),
    },
    { description: "Where in the cluster the extension lives." },
  ),
  {
    rule: `(self.scopeType == 'Cluster') == (${textAt("releaseNamespace")("self")} != '')`,
    message: "must be given with scopeType Cluster, and only then",
    fieldPath: ".releaseNamespace",
  },
  {
    rule: `(self.scopeType == 'Namespace') == (${textAt("targetNamespace")("self")} != '')`,
    message: "must be given with scopeType Namespace, and only then",
    fieldPath: ".targetNamespace",
  },
);

const again = "remove the extension and add it under another name for another one";
/** A part of the plan but its name, which may be a default. */
const planPart = (part: string): ChangeRule => {
  const { holds } = textStays(`plan.${part}`, again);
  return stays("plan", holds, `must keep its ${part}: ${again}`, unlessBoth(present("plan")));
};
const staysWhereBothSay = (field: string): ChangeRule =>
  stays(
    field,
    (now, was) => `${now}.${field} == ${was}.${field}`,
    `must stay as it is, but may be given or left out: ${again}`,
    unlessBoth(given(field)),
  );

/** What an extension of one name keeps for as long as it is in the list. */
export const extensionChanges: readonly ChangeRule[] = [
  {
    field: "extensionType",
    holds: (now, was) => `${now}.extensionType == ${was}.extensionType`,
    message: `must stay as it is: ${again}`,
  },
  ...["product", "publisher", "version", "promotionCode"].map(planPart),
  staysWhereBothSay("releaseTrain"),
  staysWhereBothSay("version"),
  valueStays("identity", again),
  // An earlier provider refused every change of an object that has a scope.
  valueStays("scope", again),
];

/** One cluster extension (`Microsoft.KubernetesConfiguration/extensions`). */
export const aksExtension = ruled(
  Type.Object({
    name: text("Name in Azure.", { maxLength: longName }),
    extensionType: text("What it is, such as `microsoft.flux`.", { maxLength: longName }),
    aksAssignedIdentityType: Type.Optional(
      oneOf("Kind of the identity that AKS gives it.", ["SystemAssigned", "UserAssigned"]),
    ),
    autoUpgradeMinorVersion: Type.Optional(
      flag("Whether minor versions are taken by themselves; excludes `version`.", { default: true }),
    ),
    configurationSettings: Type.Optional(map("Settings of the extension.", Type.String())),
    identity: Type.Optional(oneOf("Identity of the extension.", ["SystemAssigned"])),
    plan: Type.Optional(plan),
    releaseTrain: Type.Optional(text("Train of releases, such as `Stable` or `Preview`.", { maxLength: longName })),
    scope: Type.Optional(scope),
    version: Type.Optional(
      text("Version to stay at; needs `autoUpgradeMinorVersion: false`.", { maxLength: longName }),
    ),
  }),
  {
    rule: `${textAt("version")("self")} == '' || !${valueOr("autoUpgradeMinorVersion", "true")("self")}`,
    message: "must be absent unless autoUpgradeMinorVersion is false",
    fieldPath: ".version",
  },
  ...extensionChanges.map(transition),
);

/** Membership in a fleet of Azure Kubernetes Fleet Manager. */
export const aksFleetsMember = Type.Object(
  {
    name: Type.Optional(
      ruled(text("Name of the member; that of the Cluster when absent.", { maxLength: longName }), {
        rule: "self == '' || self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        message: "must be of lower-case letters, digits and inner hyphens",
      }),
    ),
    group: Type.Optional(text("Update group of the member.", { default: "default" })),
    managerName: text("Name of the fleet."),
    managerResourceGroup: text("Resource group of the fleet."),
  },
  { description: "Membership in a fleet; ends when this is taken away." },
);
