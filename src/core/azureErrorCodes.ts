import type { FailureClass } from "./types.ts";

/** What one of Azure's error codes means for us. */
export interface ErrorCode {
  readonly kind: FailureClass;
  /** What a person can do about it. */
  readonly hint?: string;
}

const group = (
  kind: FailureClass,
  codes: Readonly<Record<string, string>>,
): readonly (readonly [string, ErrorCode])[] =>
  Object.entries(codes).map(([code, hint]) => [code, hint === "" ? { kind } : { kind, hint }]);

/** Passes by itself. Retried soon. */
const transient = group("transient", {
  InternalServerError: "",
  InternalExecutionError: "",
  ServerTimeout: "",
  ServiceUnavailable: "",
  ServiceTimeout: "",
  GatewayTimeout: "",
  BadGateway: "",
  OperationTimedOut: "",
  NetworkingInternalOperationError: "",
  VMStartTimedOut: "",
  Canceled: "",
  OperationPreempted: "",
  OperationPreemptedByNewerOperation: "",
});

/** Too many requests. Azure says when to come back. */
const throttled = group("throttled", {
  TooManyRequests: "",
  SubscriptionRequestsThrottled: "",
  ResourceRequestsThrottled: "",
  OperationRequestsThrottled: "",
  ResourceCollectionRequestsThrottled: "",
  ServerBusy: "",
});

/** Azure has no machine of that size there now; another zone or size may work. */
const capacity = group("capacity", {
  AllocationFailed: "Azure has no room for this size here now; it is tried again. Another size or zone may have room.",
  ZonalAllocationFailed: "Azure has no room for this size in this zone now. Another zone may have room.",
  OverconstrainedAllocationRequest: "No place satisfies all constraints together; drop one of them.",
  OverconstrainedZonalAllocationRequest: "No place in this zone satisfies all constraints together; drop one of them.",
  SkuNotAvailable: "This size is not offered here to this subscription; choose another size, zone or region.",
  SKUNotFound: "This size is not offered here; choose another size, zone or region.",
});

/** A limit of the subscription. Wakes when somebody raises it, which nobody tells us. */
const quota = group("quota", {
  QuotaExceeded: "Ask for a higher quota, or use another size or region.",
  ResourceQuotaExceeded: "Ask for a higher quota, or remove what is no longer needed.",
  PublicIPCountLimitReached: "Ask for a higher limit of public IP addresses.",
  StandardSkuPublicIPCountLimitReached: "Ask for a higher limit of Standard public IP addresses.",
  SubscriptionLimitReached: "Ask for a higher limit of the subscription.",
  ResourceGroupQuotaExceeded: "The resource group is full; remove what is no longer needed.",
});

/** Forbidden by a rule that somebody set on purpose. */
const policy = group("policy", {
  RequestDisallowedByPolicy: "An Azure Policy forbids it; the message names the assignment.",
  RequestDisallowedByAzure: "Azure does not allow this region or size for the subscription.",
  ScopeLocked: "A management lock stands on the resource or above it; remove the lock to go on.",
  DisallowedOperation: "Azure does not allow this for the subscription.",
  ReadOnlyDisabledSubscription: "The subscription is disabled.",
  SubscriptionNotRegistered: "The subscription is not registered for this provider.",
});

/** The identity may not do this, or cannot prove itself. */
const auth = group("auth", {
  AuthorizationFailed: "Give the identity the role that the message names; a new role takes minutes to show.",
  LinkedAuthorizationFailed: "The identity lacks a role on the other resource that the message names.",
  InvalidAuthenticationToken: "",
  InvalidAuthenticationTokenTenant: "The subscription belongs to another tenant than the identity.",
  ExpiredAuthenticationToken: "",
  AuthenticationFailed: "",
  SubscriptionNotFound: "The subscription does not exist, or the identity cannot see it.",
  Forbidden: "",
});

/** Somebody else is writing, or the last write has not come to rest. */
const conflict = group("conflict", {
  AnotherOperationInProgress: "",
  OperationInProgress: "",
  OperationNotAllowed: "",
  InProgress: "",
  Conflict: "",
  ConflictingUserInput: "",
  RetryableError: "",
  ReferencedResourceNotProvisioned: "",
  ResourceGroupBeingDeleted: "",
  ResourceBeingDeleted: "",
  DeploymentActive: "",
  PreconditionFailed: "",
  EtagMismatch: "",
  CanceledAndSupersededDueToAnotherOperation: "",
  PutSubnetOperationFailed: "",
});

/** Something else must come or go first. */
const dependency = group("dependency", {
  InUseSubnetCannotBeDeleted: "",
  InUseNetworkSecurityGroupCannotBeDeleted: "",
  InUseRouteTableCannotBeDeleted: "",
  InUsePrefixCannotBeDeleted: "",
  InUseSubnetCannotBeUpdated: "",
  NicInUse: "",
  NicReservedForAnotherVm: "Azure keeps the interface for 180 s after a machine failed or was deleted.",
  PublicIPAddressCannotBeDeleted: "",
  PublicIPAddressInUse: "The public IP address belongs to another resource.",
  LoadBalancerInUseByVirtualMachineScaleSet: "",
  NatGatewayInUse: "",
  CannotDeleteResource: "",
  ResourceInUse: "",
  PrincipalNotFound: "A new identity takes minutes to show everywhere.",
});

/** The spec asks for something that cannot work. */
const badConfiguration = group("badConfiguration", {
  BadRequest: "",
  InvalidParameter: "",
  InvalidRequestFormat: "",
  InvalidRequestContent: "",
  InvalidResourceReference: "The message names a resource that does not exist.",
  InvalidResourceName: "",
  InvalidResourceGroup: "",
  InvalidResourceLocation: "A resource of that name exists in another region.",
  InvalidResourceGroupLocation: "The resource group exists in another region.",
  LocationNotAvailableForResourceType: "",
  LocationNotAvailableForResourceGroup: "",
  NetcfgInvalidSubnet: "The subnet overlaps another one or lies outside the virtual network.",
  NetcfgSubnetRangeOutsideVnet: "The subnet lies outside the virtual network.",
  NetcfgSubnetRangesOverlap: "The subnet overlaps another one.",
  PrivateIPAddressNotInSubnet: "The address lies outside its subnet.",
  PrivateIPAddressInReservedRange: "Azure keeps the first four addresses and the last one of each subnet.",
  PrivateIPAddressIsAllocated: "The address is taken.",
  DnsRecordInUse: "The DNS name is taken in this region; choose another one.",
  SecurityRuleConflict: "Two rules share priority and direction.",
  SecurityRuleInvalidPriority: "",
  AtleastOneIpV4RequiredForIpV6LbFrontendIpConfiguration: "",
  PropertyChangeNotAllowed: "Azure does not let this field change.",
  PlatformImageNotFound: "The image does not exist in this region.",
  GalleryImageNotFound: "The image does not exist in the gallery, or is not replicated to this region.",
  MissingSubscriptionRegistration: "Register the resource provider that the message names for the subscription.",
  MissingRegistrationForLocation: "",
  NoRegisteredProviderFound: "",
  InvalidSubscriptionRegistrationState: "Register the resource provider that the message names for the subscription.",
  VirtualNetworkPeeringAddressSpacesOverlap: "",
});

/** It is not there. */
const gone = group("gone", {
  ResourceNotFound: "",
  NotFound: "",
  ResourceGroupNotFound: "",
  ParentResourceNotFound: "",
  NestedResourceNotFound: "",
});

/**
 * Azure's inner error codes by meaning. Sources: the public error references of Resource Manager, networking and compute
 * (https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/common-deployment-errors).
 */
export const errorCodes: ReadonlyMap<string, ErrorCode> = new Map([
  ...transient,
  ...throttled,
  ...capacity,
  ...quota,
  ...policy,
  ...auth,
  ...conflict,
  ...dependency,
  ...badConfiguration,
  ...gone,
]);
