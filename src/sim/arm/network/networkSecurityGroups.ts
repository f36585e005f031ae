import { fills, readOnly } from "../fieldRules.ts";
import { type JsonObject, listAt, numberAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { referencesTo } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { heldBy, listReferrers } from "./backReferences.ts";

const lists: JsonObject = {
  sourcePortRanges: [],
  destinationPortRanges: [],
  sourceAddressPrefixes: [],
  destinationAddressPrefixes: [],
};

const defaultRule = (
  name: string,
  description: string,
  priority: number,
  access: string,
  source: string,
  destination: string,
): JsonObject => ({
  name,
  properties: {
    description,
    protocol: "*",
    sourcePortRange: "*",
    destinationPortRange: "*",
    sourceAddressPrefix: source,
    destinationAddressPrefix: destination,
    access,
    priority,
    direction: name.endsWith("InBound") ? "Inbound" : "Outbound",
    ...structuredClone(lists),
  },
});

/** The rules that every group has. Source: https://learn.microsoft.com/azure/virtual-network/network-security-groups-overview */
const defaultRules = (): readonly JsonObject[] => [
  defaultRule(
    "AllowVnetInBound",
    "Allow inbound traffic from all VMs in VNET",
    65000,
    "Allow",
    "VirtualNetwork",
    "VirtualNetwork",
  ),
  defaultRule(
    "AllowAzureLoadBalancerInBound",
    "Allow inbound traffic from azure load balancer",
    65001,
    "Allow",
    "AzureLoadBalancer",
    "*",
  ),
  defaultRule("DenyAllInBound", "Deny all inbound traffic", 65500, "Deny", "*", "*"),
  defaultRule(
    "AllowVnetOutBound",
    "Allow outbound traffic from all VMs to all VMs in VNET",
    65000,
    "Allow",
    "VirtualNetwork",
    "VirtualNetwork",
  ),
  defaultRule(
    "AllowInternetOutBound",
    "Allow outbound traffic from all VMs to Internet",
    65001,
    "Allow",
    "*",
    "Internet",
  ),
  defaultRule("DenyAllOutBound", "Deny all outbound traffic", 65500, "Deny", "*", "*"),
];

const compute = ({ body, world, rules }: Draft): void => {
  const properties = propertiesOf(body);
  if ((world.state.options.defaults ?? "azure") !== "azure" || properties["defaultSecurityRules"] !== undefined) return;
  properties["defaultSecurityRules"] = defaultRules().map((rule) => ({
    ...rule,
    id: `${textAt(body, "id")}/defaultSecurityRules/${textAt(rule, "name")}`,
    type: `${rules.type}/defaultSecurityRules`,
  }));
};

const rulesOf = (draft: Draft): readonly JsonObject[] => listAt(draft.body, "properties", "securityRules");

const checkPriorities = (draft: Draft): Answer | undefined => {
  const seen: JsonObject[] = [];
  for (const rule of rulesOf(draft)) {
    const priority = numberAt(rule, "properties", "priority") ?? 0;
    if (priority < 100 || priority > 4096)
      return refuse(
        400,
        "SecurityRuleInvalidPriority",
        `Security rule ${textAt(rule, "name")} has invalid priority ${priority}. The priority must be between 100 and 4096.`,
        { details: [] },
      );
    const clash = seen.find(
      (other) =>
        numberAt(other, "properties", "priority") === priority &&
        sameText(textAt(other, "properties", "direction"), textAt(rule, "properties", "direction")),
    );
    if (clash !== undefined)
      return refuse(
        400,
        "SecurityRuleConflict",
        `Security rule ${textAt(rule, "name")} conflicts with rule ${textAt(clash, "name")}. Rules cannot have the same Priority and Direction. To learn more, see aka.ms/nsgrules.`,
        { details: [] },
      );
    seen.push(rule);
  }
  return undefined;
};

const pairs = [
  ["sourcePortRange", "sourcePortRanges"],
  ["destinationPortRange", "destinationPortRanges"],
  ["sourceAddressPrefix", "sourceAddressPrefixes"],
  ["destinationAddressPrefix", "destinationAddressPrefixes"],
  ["sourceAddressPrefix", "sourceApplicationSecurityGroups"],
  ["destinationAddressPrefix", "destinationApplicationSecurityGroups"],
] as const;

/** A rule names one or many, not both. */
const checkForms = (draft: Draft): Answer | undefined => {
  for (const rule of rulesOf(draft)) {
    const properties = propertiesOf(rule);
    for (const [single, list] of pairs) {
      const many = properties[list];
      if (textAt(properties, single) !== "" && Array.isArray(many) && many.length > 0)
        return refuse(
          400,
          "SecurityRuleParameterConflict",
          `Security rule ${textAt(rule, "name")} cannot specify both ${single} and ${list}.`,
          { details: [] },
        );
    }
  }
  return undefined;
};

/** Network security groups; their rules are also addressable on their own. */
export const networkSecurityGroups: TypeRules = {
  type: "Microsoft.Network/networkSecurityGroups",
  etag: "weak",
  patch: "tags",
  put: { tagsAtOnce: true },
  owned: ["defaultSecurityRules"],
  children: [
    { collection: "securityRules", writable: true, always: true, retryAfterSeconds: 10, apart: true },
    { collection: "defaultSecurityRules", writable: false, always: false },
  ],
  fields: [
    ...readOnly("properties", "subnets", "networkInterfaces"),
    ...fills("properties.securityRules[].properties", lists),
  ],
  check: (draft) =>
    firstRefusal(
      () => checkPriorities(draft),
      () => checkForms(draft),
    ),
  compute,
  inUse: (world, resource) => {
    const user = referencesTo(world.state, resource.id)[0];
    return user === undefined
      ? undefined
      : refuse(
          400,
          /\/virtualMachineScaleSets$/i.test(user.type)
            ? "NetworkSecurityGroupInUseByVirtualMachineScaleSet"
            : "InUseNetworkSecurityGroupCannotBeDeleted",
          `Network security group ${resource.id} cannot be deleted because it is in use by the following resources: ${user.from}. In order to delete the Network security group, remove the association with the resource(s). To learn how to do this, see aka.ms/deletensg.`,
          { details: [] },
        );
  },
  view: (world, resource, body) => {
    const properties = propertiesOf(body);
    listReferrers(world, properties, "subnets", resource.id, heldBy(/\/virtualNetworks$/i));
    listReferrers(world, properties, "networkInterfaces", resource.id, heldBy(/\/networkInterfaces$/i));
  },
};
