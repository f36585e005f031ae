import { network, nsgId } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aGroup } from "./resourceGroups.ts";

const ofTable = "Test_Networking_RouteTable_CRUD.yaml, 2020-11-01";
const ofRules = "Test_Networking_NetworkSecurityGroup_CRUD.yaml, 2020-11-01";
const apiVersion = "2020-11-01";
const location = "westus2";
const tableId = `${network}/routeTables/table`;
const routeId = `${tableId}/routes/first`;
const otherRouteId = `${tableId}/routes/second`;
const ruleId = `${nsgId}/securityRules/first`;
const otherRuleId = `${nsgId}/securityRules/second`;

const route = (addressPrefix: string) => ({
  properties: { addressPrefix, nextHopType: "VirtualAppliance", nextHopIpAddress: "10.0.100.4" },
});
const rule = (priority: number) => ({
  properties: {
    access: "Allow",
    direction: "Inbound",
    priority,
    protocol: "Tcp",
    sourceAddressPrefix: "*",
    sourcePortRange: "23-45",
    destinationAddressPrefix: "*",
    destinationPortRange: "46-56",
  },
});
const { sourcePortRange: _single, ...open } = rule(124).properties;
const ranged = { properties: { ...open, sourcePortRanges: ["23-45", "5000-5100"] } };

const aTable: Step = { method: "PUT", to: tableId, body: { location }, apiVersion };
const aRoute: Step = { method: "PUT", to: routeId, body: route("Storage"), apiVersion };
const anotherRoute: Step = { method: "PUT", to: otherRouteId, body: route("10.9.0.0/16"), apiVersion };
const aSecurityGroup: Step = { method: "PUT", to: nsgId, body: { location }, apiVersion };
const aRule: Step = { method: "PUT", to: ruleId, body: rule(123), apiVersion };
const anotherRule: Step = { method: "PUT", to: otherRuleId, body: ranged, apiVersion };

const operation = { "azure-asyncoperation": "operation" } as const;
const notified = { ...operation, "azure-asyncnotification": "Enabled" } as const;
const deleting = { ...operation, location: "operation result" } as const;
const notFound = {
  status: 404,
  body: { only: ["error"], values: { "error.code": "NotFound", "error.details": [] } },
} as const;
const nowhere = {
  status: 404,
  headers: { "x-ms-failure-cause": "gateway" },
  body: { values: { "error.code": "ResourceNotFound" } },
} as const;

export const rules = [
  {
    when: "a route table is written again unchanged",
    source: ofTable,
    before: [aGroup, aTable, { method: "GET", to: tableId, apiVersion }],
    ask: { method: "PUT", to: tableId, body: { location }, apiVersion },
    answer: {
      status: 200,
      headers: notified,
      body: {
        values: {
          "properties.provisioningState": "Succeeded",
          "properties.disableBgpRoutePropagation": false,
          "properties.routes": [],
        },
        shows: ["properties.resourceGuid"],
        etag: "kept",
      },
    },
  },
  {
    when: "a route is created",
    source: ofTable,
    before: [aGroup, aTable],
    ask: { method: "PUT", to: routeId, body: route("Storage"), apiVersion },
    answer: {
      status: 201,
      headers: { ...operation, "retry-after": 2 },
      body: {
        only: ["id", "name", "type", "etag", "properties"],
        values: {
          type: "Microsoft.Network/routeTables/routes",
          "properties.provisioningState": "Updating",
          "properties.hasBgpOverride": false,
        },
      },
    },
  },
  {
    when: "a second route is created while the first is still on its way",
    source: ofTable,
    before: [aGroup, aTable, { ...aRoute, running: true }],
    ask: { method: "PUT", to: otherRouteId, body: route("10.9.0.0/16"), apiVersion },
    answer: {
      status: 201,
      headers: { ...operation, "retry-after": 2 },
      body: { values: { "properties.provisioningState": "Updating" } },
    },
  },
  {
    when: "the first of two routes that were on their way at once is read",
    source: ofTable,
    before: [aGroup, aTable, { ...aRoute, running: true }, anotherRoute],
    ask: { method: "GET", to: routeId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: { values: { "properties.provisioningState": "Succeeded" } },
    },
  },
  {
    when: "a route is deleted",
    source: ofTable,
    before: [aGroup, aTable, aRoute],
    ask: { method: "DELETE", to: routeId, apiVersion },
    answer: { status: 202, headers: { ...deleting, "retry-after": 2 }, body: "none" },
  },
  {
    when: "a second route is deleted while the first is still going",
    source: ofTable,
    before: [aGroup, aTable, aRoute, anotherRoute, { method: "DELETE", to: routeId, apiVersion, running: true }],
    ask: { method: "DELETE", to: otherRouteId, apiVersion },
    answer: { status: 202, headers: { ...deleting, "retry-after": 2 }, body: "none" },
  },
  {
    when: "a route is read after its deletion",
    source: ofTable,
    before: [aGroup, aTable, aRoute, { method: "DELETE", to: routeId, apiVersion }],
    ask: { method: "GET", to: routeId, apiVersion },
    answer: notFound,
  },
  {
    when: "a route table is deleted",
    source: ofTable,
    before: [aGroup, aTable],
    ask: { method: "DELETE", to: tableId, apiVersion },
    answer: {
      status: 202,
      headers: { ...deleting, "azure-asyncnotification": "Enabled", "retry-after": 2 },
      body: "none",
    },
  },
  {
    when: "a security group is created",
    source: ofRules,
    before: [aGroup],
    ask: { method: "PUT", to: nsgId, body: { location }, apiVersion },
    answer: {
      status: 201,
      headers: { ...notified, "retry-after": 3 },
      body: {
        values: {
          "properties.provisioningState": "Updating",
          "properties.securityRules": [],
          "properties.defaultSecurityRules.0.name": "AllowVnetInBound",
          "properties.defaultSecurityRules.0.properties.provisioningState": "Updating",
          "properties.defaultSecurityRules.0.properties.sourcePortRanges": [],
          "properties.defaultSecurityRules.5.name": "DenyAllOutBound",
          "properties.defaultSecurityRules.5.properties.priority": 65_500,
          "properties.defaultSecurityRules.5.type": "Microsoft.Network/networkSecurityGroups/defaultSecurityRules",
        },
        shows: ["properties.resourceGuid", "properties.defaultSecurityRules.0.etag"],
        omits: ["tags", "properties.defaultSecurityRules.6"],
      },
    },
  },
  {
    when: "a security group gets a tag and nothing else",
    source: ofRules,
    before: [aGroup, aSecurityGroup, { method: "GET", to: nsgId, apiVersion }],
    ask: { method: "PUT", to: nsgId, body: { location, tags: { foo: "bar" } }, apiVersion },
    answer: {
      status: 200,
      headers: notified,
      body: { values: { tags: { foo: "bar" }, "properties.provisioningState": "Succeeded" }, etag: "renewed" },
    },
  },
  {
    when: "the priority of a security rule is changed",
    source: ofRules,
    before: [aGroup, aSecurityGroup, aRule],
    ask: { method: "PUT", to: ruleId, body: rule(100), apiVersion },
    answer: {
      status: 200,
      headers: { ...operation, "retry-after": 10 },
      body: {
        values: {
          type: "Microsoft.Network/networkSecurityGroups/securityRules",
          "properties.provisioningState": "Updating",
          "properties.priority": 100,
          "properties.sourcePortRanges": [],
          "properties.destinationPortRanges": [],
          "properties.sourceAddressPrefixes": [],
          "properties.destinationAddressPrefixes": [],
        },
        etag: "renewed",
      },
    },
  },
  {
    when: "a security rule with several port ranges is read",
    source: ofRules,
    before: [aGroup, aSecurityGroup, anotherRule],
    ask: { method: "GET", to: otherRuleId, apiVersion },
    answer: {
      status: 200,
      headers: { etag: "weak etag" },
      body: {
        values: {
          "properties.sourcePortRanges": ["23-45", "5000-5100"],
          "properties.destinationPortRange": "46-56",
          "properties.destinationPortRanges": [],
        },
        omits: ["properties.sourcePortRange", "properties.description"],
      },
    },
  },
  {
    when: "a security rule is deleted",
    source: ofRules,
    before: [aGroup, aSecurityGroup, aRule],
    ask: { method: "DELETE", to: ruleId, apiVersion },
    answer: { status: 202, headers: { ...deleting, "retry-after": 10 }, body: "none" },
  },
  {
    when: "a second security rule is deleted while the first is still going",
    source: ofRules,
    before: [aGroup, aSecurityGroup, aRule, anotherRule, { method: "DELETE", to: ruleId, apiVersion, running: true }],
    ask: { method: "DELETE", to: otherRuleId, apiVersion },
    answer: { status: 202, headers: { ...deleting, "retry-after": 10 }, body: "none" },
  },
  {
    when: "a security rule is read after its deletion",
    source: ofRules,
    before: [aGroup, aSecurityGroup, aRule, { method: "DELETE", to: ruleId, apiVersion }],
    ask: { method: "GET", to: ruleId, apiVersion },
    answer: notFound,
  },
  {
    when: "a security group is deleted",
    source: ofRules,
    before: [aGroup, aSecurityGroup],
    ask: { method: "DELETE", to: nsgId, apiVersion },
    answer: {
      status: 202,
      headers: { ...deleting, "azure-asyncnotification": "Enabled", "retry-after": 10 },
      body: "none",
    },
  },
  {
    when: "a security group is read after its deletion",
    source: ofRules,
    before: [aGroup, aSecurityGroup, { method: "DELETE", to: nsgId, apiVersion }],
    afterSeconds: 120,
    ask: { method: "GET", to: nsgId, apiVersion },
    answer: nowhere,
  },
] as const satisfies readonly Exchange[];
