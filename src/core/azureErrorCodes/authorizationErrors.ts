import { aksPage, alike, type ErrorCodes, report, sources } from "./errorCode.ts";

/** Microsoft.Authorization and Resource Manager's own checks: what the identity may do, and role assignments. */
export const authorizationErrors: ErrorCodes = {
  ...alike(
    { kind: "auth", source: sources.deployment },
    {
      AuthorizationFailed: "Give the identity the role that the message names; a new role takes minutes to show.",
      SubscriptionNotFound: "The subscription does not exist, or the identity cannot see it.",
      InvalidAuthenticationTokenTenant: "The subscription belongs to another tenant than the identity.",
    },
  ),
  ...alike(
    { kind: "auth", source: aksPage("linkedauthorizationfailed-error") },
    { LinkedAuthorizationFailed: "The identity lacks a role on the other resource that the message names." },
  ),
  ...alike(
    { kind: "auth", source: "https://learn.microsoft.com/rest/api/azure/#authenticate-calls-to-azure-rest-api" },
    { InvalidAuthenticationToken: "", ExpiredAuthenticationToken: "", AuthenticationFailed: "" },
  ),
  ...alike({ kind: "auth", source: sources.roles, generic: true }, { Forbidden: "" }),
  ...alike(
    { kind: "auth", source: report("Azure/azure-cli#26700") },
    { InsufficientPermissions: "The identity lacks a role." },
  ),
  ...alike(
    { kind: "dependency", source: report("Azure-Samples/azure-search-openai-demo#9") },
    { PrincipalNotFound: "A new identity takes minutes to show everywhere." },
  ),
  ...alike(
    { kind: "quota", source: sources.roles },
    { RoleAssignmentLimitExceeded: "The subscription has as many role assignments as it may; remove some." },
  ),
  ...alike(
    { kind: "badConfiguration", source: sources.roles },
    {
      RoleAssignmentUpdateNotPermitted:
        "A role assignment of that name exists for another principal, role or scope; delete it.",
      RoleDefinitionDoesNotExist: "The role does not exist here; check its id.",
      PrincipalTypeNotSupported: "A role cannot be given to a principal of this type.",
    },
  ),
  ...alike(
    {
      kind: "badConfiguration",
      source: "https://learn.microsoft.com/azure/role-based-access-control/role-assignments-template",
    },
    { RoleAssignmentExists: "The same role is already given by an assignment of another name; delete that one." },
  ),
};
