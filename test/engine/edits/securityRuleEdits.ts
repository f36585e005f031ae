import type { JsonObject } from "../../../src/core/types.ts";
import { type Carried, nodes } from "./editCase.ts";

const rule: JsonObject = {
  name: "web",
  description: "Web",
  protocol: "Tcp",
  direction: "Inbound",
  priority: 300,
  source: "*",
  sourcePorts: "*",
  destination: "*",
  destinationPorts: "443",
};
const second: JsonObject = { ...rule, name: "second", priority: 310 };
const ruled = (...securityRules: readonly JsonObject[]): JsonObject =>
  nodes({ securityGroup: { name: "c1-node-nsg", securityRules } });
const ruleField = (name: string): string => `networkSpec.subnets[].securityGroup.securityRules[].${name}`;
const ruleWrite = (...paths: readonly string[]): readonly string[] => [
  `PUT networkSecurityGroups/c1-node-nsg: ${paths.map((path) => `properties.securityRules[${path}`).join(", ")}`,
];
/** Another value of one field of a rule, and back. */
const ruleEdit = (field: string, value: string | number, inAzure: string): Carried => ({
  title: `${field} of a security rule`,
  fields: [ruleField(field)],
  from: ruled(rule),
  steps: [
    [ruled({ ...rule, [field]: value }), ruleWrite(`web].properties.${inAzure}`)],
    [ruled(rule), ruleWrite(`web].properties.${inAzure}`)],
  ],
});

/** Edits of security rules that are carried out. */
export const securityRuleEdits: readonly Carried[] = [
  {
    title: "security rules come, change places and names, and go",
    fields: [ruleField("name")],
    steps: [
      [ruled(rule), ruleWrite("web]")],
      [ruled(second, rule), ruleWrite("second]")],
      [ruled(rule, second), []],
      [ruled({ ...rule, name: "renamed" }, second), ruleWrite("renamed]", "web]")],
      [ruled(), ruleWrite("renamed]", "second]")],
    ],
  },
  ruleEdit("description", "Other", "description"),
  ruleEdit("protocol", "Udp", "protocol"),
  ruleEdit("direction", "Outbound", "direction"),
  ruleEdit("priority", 301, "priority"),
  ruleEdit("sourcePorts", "1000-2000", "sourcePortRange"),
  ruleEdit("destinationPorts", "80", "destinationPortRange"),
  ruleEdit("source", "10.0.0.0/8", "sourceAddressPrefix"),
  ruleEdit("destination", "10.1.0.0/16", "destinationAddressPrefix"),
  ruleEdit("action", "Deny", "access"),
  {
    title: "several sources of a security rule",
    fields: [ruleField("sources[]")],
    from: ruled(rule),
    steps: [
      [
        ruled({ ...rule, source: "", sources: ["10.0.0.0/8", "192.168.0.0/16"] }),
        ruleWrite("web].properties.sourceAddressPrefix", "web].properties.sourceAddressPrefixes"),
      ],
      [ruled({ ...rule, source: "", sources: ["192.168.0.0/16", "10.0.0.0/8"] }), []],
      [ruled({ ...rule, source: "", sources: ["10.0.0.0/8"] }), ruleWrite("web].properties.sourceAddressPrefixes")],
      [ruled(rule), ruleWrite("web].properties.sourceAddressPrefix", "web].properties.sourceAddressPrefixes")],
    ],
  },
];
