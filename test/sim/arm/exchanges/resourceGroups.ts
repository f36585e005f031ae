import { group, network } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";

const source = "Test_Resources_ResourceGroup_CRUD.yaml, 2020-06-01 (recorded 2025-11-18)";
const ofMachine = "Test_Compute_VM_CRUD.yaml, 2020-11-01 (recorded 2022-01-10)";
const body = { location: "westus2", tags: { made: "yesterday" } };
const tagged = { location: "westus2", tags: { made: "yesterday", tag1: "value1" } };

export const aGroup: Step = { method: "PUT", to: group, body };
const leaving: Step = { method: "DELETE", to: group, running: true };
const left: Step = { method: "DELETE", to: group };

const shape = { only: ["id", "name", "type", "location", "tags", "properties"] } as const;
const type = "Microsoft.Resources/resourceGroups";

export const resourceGroups = [
  {
    when: "a resource group is created",
    source,
    ask: { method: "PUT", to: group, body },
    answer: {
      status: 201,
      body: { ...shape, values: { type, id: group, name: "rg", "properties.provisioningState": "Succeeded" } },
    },
  },
  {
    when: "a resource group is written again unchanged",
    source: "Test_Networking_VirtualNetwork_CRUD.yaml, 2020-06-01",
    before: [aGroup],
    ask: { method: "PUT", to: group, body },
    answer: { status: 200, body: { ...shape, values: { "properties.provisioningState": "Succeeded" } } },
  },
  {
    when: "a resource group gets one more tag",
    source,
    before: [aGroup],
    ask: { method: "PUT", to: group, body: tagged },
    answer: { status: 200, body: { ...shape, values: { tags: tagged.tags } } },
  },
  {
    when: "a resource group is read",
    source,
    before: [aGroup],
    ask: { method: "GET", to: group },
    answer: { status: 200, body: { ...shape, values: { location: "westus2", tags: body.tags } } },
  },
  {
    when: "a resource group is deleted",
    source,
    before: [aGroup],
    ask: { method: "DELETE", to: group },
    answer: { status: 202, headers: { location: "group operation result", "retry-after": 15 }, body: "none" },
  },
  {
    when: "a resource group is read while it is deleted",
    source: "Test_Networking_LoadBalancer_CRUD.yaml, 2020-06-01",
    before: [aGroup, leaving],
    ask: { method: "GET", to: group },
    answer: { status: 200, body: { ...shape, values: { "properties.provisioningState": "Deleting" } } },
  },
  {
    when: "the deletion of a resource group is polled while it runs",
    source:
      "Test_Authorization_RoleAssignmentOfBuiltInRole_OnResourceGroup_CRUD.yaml, 2020-06-01 (recorded 2025-11-19)",
    before: [aGroup, leaving],
    ask: { method: "GET", to: { named: "location" } },
    answer: { status: 202, headers: { location: "group operation result", "retry-after": 15 }, body: "none" },
  },
  {
    when: "the deletion of a resource group is polled after its end",
    source,
    before: [aGroup, left],
    ask: { method: "GET", to: { named: "location" } },
    answer: { status: 200, body: "none" },
  },
  {
    when: "a resource group is read after its deletion",
    source,
    before: [aGroup, left],
    ask: { method: "GET", to: group },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { only: ["error"], values: { "error.code": "ResourceGroupNotFound" }, omits: ["error.details"] },
    },
  },
  {
    when: "a resource is read whose group is gone",
    source: ofMachine,
    before: [aGroup, left],
    ask: { method: "GET", to: `${network}/networkInterfaces/nic` },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceGroupNotFound" } },
    },
  },
  {
    when: "a resource is deleted whose group is gone",
    source: "Test_Networking_BastionHost_CRUD.yaml, 2020-11-01",
    before: [aGroup, left],
    ask: { method: "DELETE", to: `${network}/virtualNetworks/vnet` },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceGroupNotFound" } },
    },
  },
  {
    when: "a resource is deleted that is not there, in a group that is being deleted",
    source: ofMachine,
    before: [aGroup, leaving],
    ask: { method: "DELETE", to: `${network}/networkInterfaces/nic` },
    answer: { status: 204, body: "none" },
  },
  {
    when: "a resource is created in a group that is being deleted",
    source: "Azure/azure-cli#28679 (2024-04-02)",
    before: [aGroup, leaving],
    ask: { method: "PUT", to: `${network}/routeTables/table`, body: { location: "westus2" } },
    answer: { status: 409, body: { values: { "error.code": "ResourceGroupBeingDeleted" } } },
  },
] as const satisfies readonly Exchange[];
