import { group, subscription } from "../aWorld.ts";
import type { Exchange, Step } from "./exchange.ts";
import { aGroup } from "./resourceGroups.ts";

const ofIdentity = "Test_ManagedIdentity_UserAssignedIdentity_CRUD.yaml, 2018-11-30";
const ofRole =
  "Test_Authorization_RoleAssignmentOfBuiltInRole_OnResourceGroup_CRUD.yaml, 2022-04-01 (recorded 2025-11-19)";
const apiVersion = "2018-11-30";
const location = "westus2";
const identityId = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/identity`;
const shownId = identityId.replace("/resourceGroups/", "/resourcegroups/");
const assignmentName = "00000000-0000-4000-8000-00000000a001";
const assignmentId = `${group}/providers/Microsoft.Authorization/roleAssignments/${assignmentName}`;
const twinId = assignmentId.replace(/a001$/, "a002");
const roleDefinitionId = `/subscriptions/${subscription}/providers/Microsoft.Authorization/roleDefinitions/00000000-0000-4000-8000-00000000c001`;
const principalId = "00000000-0000-4000-8000-00000000b001";
const assignment = { properties: { roleDefinitionId, principalId } };

const anIdentity: Step = { method: "PUT", to: identityId, body: { location }, apiVersion };
const anAssignment: Step = { method: "PUT", to: assignmentId, body: assignment, apiVersion: "2022-04-01" };
const identityShape = {
  only: ["id", "name", "type", "location", "tags", "properties"],
  shows: ["properties.tenantId", "properties.principalId", "properties.clientId"],
  omits: ["properties.provisioningState"],
} as const;
const assignmentShape = {
  only: ["id", "name", "type", "properties"],
  values: {
    id: assignmentId,
    name: assignmentName,
    type: "Microsoft.Authorization/roleAssignments",
    "properties.principalType": "ServicePrincipal",
    "properties.principalId": principalId,
    "properties.scope": group,
    "properties.condition": null,
    "properties.description": null,
  },
  shows: ["properties.createdOn", "properties.updatedOn", "properties.createdBy", "properties.updatedBy"],
} as const;

export const identities = [
  {
    when: "a managed identity is created",
    source:
      "Test_Authorization_RoleAssignmentOfBuiltInRole_OnResourceGroup_CRUD.yaml, 2018-11-30 (recorded 2025-11-19)",
    before: [aGroup],
    ask: { method: "PUT", to: identityId, body: { location }, apiVersion },
    answer: {
      status: 201,
      headers: { location: "relative id" },
      body: { ...identityShape, values: { id: shownId, tags: {} } },
    },
  },
  {
    when: "a managed identity is written again unchanged",
    source:
      "Test_Authorization_RoleAssignmentOfBuiltInRole_OnResourceGroup_CRUD.yaml, 2018-11-30 (recorded 2025-11-19)",
    before: [aGroup, anIdentity],
    ask: { method: "PUT", to: identityId, body: { location }, apiVersion },
    answer: { status: 200, body: { ...identityShape, values: { id: shownId, tags: {} } } },
  },
  {
    when: "a managed identity gets a tag",
    source: ofIdentity,
    before: [aGroup, anIdentity],
    ask: { method: "PUT", to: identityId, body: { location, tags: { foo: "bar" } }, apiVersion },
    answer: { status: 200, body: { ...identityShape, values: { id: shownId, tags: { foo: "bar" } } } },
  },
  {
    when: "a managed identity is deleted",
    source: ofIdentity,
    before: [aGroup, anIdentity],
    ask: { method: "DELETE", to: identityId, apiVersion },
    answer: { status: 200, body: "none" },
  },
  {
    when: "a managed identity is read after its deletion",
    source: ofIdentity,
    before: [aGroup, anIdentity, { method: "DELETE", to: identityId, apiVersion }],
    ask: { method: "GET", to: identityId, apiVersion },
    answer: {
      status: 404,
      headers: { "x-ms-failure-cause": "gateway" },
      body: { values: { "error.code": "ResourceNotFound" } },
    },
  },
  {
    when: "a role assignment is read",
    source: ofRole,
    before: [aGroup, anAssignment],
    ask: { method: "GET", to: assignmentId, apiVersion: "2022-04-01" },
    answer: { status: 200, body: assignmentShape },
  },
  {
    when: "a role assignment is deleted",
    source: ofRole,
    before: [aGroup, anAssignment],
    ask: { method: "DELETE", to: assignmentId, apiVersion: "2022-04-01" },
    answer: { status: 200, body: assignmentShape },
  },
  {
    when: "a role assignment is read after its deletion",
    source: ofRole,
    before: [aGroup, anAssignment, { method: "DELETE", to: assignmentId, apiVersion: "2022-04-01" }],
    ask: { method: "GET", to: assignmentId, apiVersion: "2022-04-01" },
    answer: { status: 404, body: { only: ["error"], values: { "error.code": "RoleAssignmentNotFound" } } },
  },
  {
    when: "a role is assigned to somebody who has it",
    source: "aztfmod/terraform-azurerm-caf#1589 (2023-04-27)",
    before: [aGroup, anAssignment],
    ask: { method: "PUT", to: twinId, body: assignment, apiVersion: "2022-04-01" },
    answer: { status: 409, body: { values: { "error.code": "RoleAssignmentExists" } } },
  },
] as const satisfies readonly Exchange[];
