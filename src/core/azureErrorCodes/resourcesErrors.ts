import { alike, type ErrorCodes, report, sources } from "./errorCode.ts";

/** Wrappers and words that only repeat the status. */
const generic: ErrorCodes = {
  ...alike({ kind: "badConfiguration", source: sources.deployment, generic: true }, { BadRequest: "" }),
  ...alike({ kind: "conflict", source: sources.deployment, generic: true }, { Conflict: "" }),
  ...alike({ kind: "gone", source: sources.deployment, generic: true, wakes: ["siblings"] }, { NotFound: "" }),
  ...alike(
    { kind: "transient", source: sources.deployment, generic: true },
    { DeploymentFailed: "", ResourceDeploymentFailure: "", MultipleErrorsOccurred: "", OperationFailed: "" },
  ),
  ...alike({ kind: "badConfiguration", source: sources.deployment, generic: true }, { InvalidTemplateDeployment: "" }),
};

/** Passes by itself. */
const transient: ErrorCodes = {
  ...alike({ kind: "transient", source: sources.deployment }, { InternalServerError: "", InternalExecutionError: "" }),
  ...alike(
    { kind: "transient", source: "https://learn.microsoft.com/rest/api/storageservices/common-rest-api-error-codes" },
    {
      ServiceUnavailable: "",
      ServerTimeout: "",
      ServiceTimeout: "",
      GatewayTimeout: "",
      BadGateway: "",
      OperationTimedOut: "",
      Canceled: "",
    },
  ),
};

/** Too many requests. Azure says when to come back. */
const throttled: ErrorCodes = {
  ...alike(
    { kind: "throttled", source: sources.deployment },
    { SubscriptionRequestsThrottled: "The subscription has used up its requests; they come back by themselves." },
  ),
  ...alike(
    { kind: "throttled", source: sources.throttling },
    { TooManyRequests: "", ResourceRequestsThrottled: "", ResourceCollectionRequestsThrottled: "", ServerBusy: "" },
  ),
  ...alike({ kind: "throttled", source: sources.computeThrottling }, { OperationRequestsThrottled: "" }),
};

const limits: ErrorCodes = {
  ...alike(
    { kind: "quota", source: sources.quota, alone: true },
    { ResourceQuotaExceeded: "Ask for a higher quota, or remove what is no longer needed." },
  ),
  ...alike(
    { kind: "quota", source: sources.quota },
    {
      ResourceGroupQuotaExceeded: "The subscription has as many resource groups as it may; remove some.",
      SubscriptionLimitReached: "Ask for a higher limit of the subscription.",
    },
  ),
};

/** Forbidden by a rule that somebody set on purpose. */
const policy: ErrorCodes = {
  ...alike(
    { kind: "policy", source: sources.deployment },
    {
      RequestDisallowedByPolicy: "An Azure Policy forbids it; the message names the assignment.",
      RegionDoesNotAllowProvisioning: "The subscription may not use this region; choose another, or ask for access.",
      SubscriptionNotRegistered: "The subscription is not registered for this provider.",
    },
  ),
  ...alike(
    { kind: "policy", source: sources.locks },
    { ScopeLocked: "A management lock stands on the resource or above it; remove the lock to go on." },
  ),
  ...alike(
    { kind: "policy", source: report("microsoft/vscode-azureappservice#1646"), pace: { firstSeconds: 900 } },
    { ReadOnlyDisabledSubscription: "The subscription is disabled." },
  ),
  ...alike(
    { kind: "policy", source: report("Azure/static-web-apps#1709") },
    {
      RequestDisallowedByAzure: "Azure does not allow this region or size for the subscription.",
      DisallowedOperation: "Azure does not allow this for the subscription.",
    },
  ),
};

/** Somebody else is writing, or what it lives in goes. */
const busy: ErrorCodes = {
  ...alike(
    {
      kind: "conflict",
      source: sources.deployment,
      pace: { firstSeconds: 15, freshCapSeconds: 60, freshAttempts: 12 },
    },
    { ResourceGroupBeingDeleted: "The resource group is being deleted; it is made anew when that is done." },
  ),
  ...alike(
    { kind: "conflict", source: sources.deployment },
    { DeploymentActiveAndUneditable: "", DeploymentActive: "", ResourceBeingDeleted: "" },
  ),
  ...alike(
    {
      kind: "conflict",
      source: "https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations",
    },
    {
      OperationInProgress: "",
      InProgress: "",
      PreconditionFailed: "Somebody else wrote first; it is read and planned again.",
      EtagMismatch: "Somebody else wrote first; it is read and planned again.",
    },
  ),
};

const inUse: ErrorCodes = alike(
  { kind: "dependency", source: report("kubernetes-sigs/cluster-api-provider-azure#172") },
  {
    CannotDeleteResource: "It still holds other resources.",
    ResourceInUse: "Another resource still uses it.",
    ResourceGroupDeletionBlocked: "Something in the group cannot be deleted; the message names it.",
    ResourceGroupDeletionTimeout: "Something in the group cannot be deleted; the message names it.",
  },
);

/** The spec asks for something that cannot work. */
const wrong: ErrorCodes = {
  ...alike(
    { kind: "badConfiguration", source: sources.deployment },
    {
      InvalidParameter: "",
      InvalidRequestContent: "",
      InvalidRequestFormat: "",
      InvalidResourceNamespace: "",
      InvalidResourceType: "",
      LinkedInvalidPropertyId: "An id in the spec does not have the form of an id.",
      LocationRequired: "",
      MismatchingResourceSegments: "",
      PasswordTooLong: "",
      PropertyChangeNotAllowed: "Azure does not let this field change.",
      ReservedResourceName: "The name is reserved; choose another one.",
      InvalidResourceLocation: "A resource of that name exists in another region.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: sources.deployment, wakes: ["siblings", "dependencies"] },
    { InvalidResourceReference: "The message names a resource that does not exist." },
  ),
  ...alike(
    {
      kind: "badConfiguration",
      source:
        "https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-register-resource-provider",
    },
    {
      MissingSubscriptionRegistration: "Register the resource provider that the message names for the subscription.",
      InvalidSubscriptionRegistrationState:
        "Register the resource provider that the message names for the subscription.",
      NoRegisteredProviderFound: "The resource type does not exist in this region or API version.",
      MissingRegistrationForLocation: "The resource type does not exist in this region.",
      MissingRegistrationForType: "The resource provider is not registered for this type.",
      LocationNotAvailableForResourceType: "The resource type does not exist in this region.",
      LocationNotAvailableForResourceGroup: "A resource group cannot be in this region.",
    },
  ),
  ...alike(
    {
      kind: "badConfiguration",
      source: "https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules",
    },
    {
      InvalidResourceName: "The name has a form that Azure does not take.",
      InvalidResourceGroup: "The name of the resource group has a form that Azure does not take.",
      InvalidResourceGroupLocation: "The resource group exists in another region.",
    },
  ),
};

/** It is not there. */
const gone: ErrorCodes = alike(
  { kind: "gone", source: sources.deployment, wakes: ["siblings"] },
  {
    ResourceNotFound: "",
    ResourceGroupNotFound: "The resource group does not exist.",
    ParentResourceNotFound: "What it is to live in does not exist.",
    NestedResourceNotFound: "",
  },
);

/** Resource Manager itself: groups, deployments, locks, policies, providers, throttling. */
export const resourcesErrors: ErrorCodes = {
  ...generic,
  ...transient,
  ...throttled,
  ...limits,
  ...policy,
  ...busy,
  ...inUse,
  ...wrong,
  ...gone,
};
