import { aksPage, alike, type ErrorCodes, report, sources } from "./errorCode.ts";

/** Azure has no machine of that size there now. */
const capacity: ErrorCodes = {
  ...alike(
    { kind: "capacity", source: sources.deployment },
    {
      AllocationFailed:
        "Azure has no room for this size here now; it is tried again. Another size or zone may have room.",
    },
  ),
  ...alike(
    { kind: "capacity", source: aksPage("zonalallocation-allocationfailed-error") },
    { ZonalAllocationFailed: "Azure has no room for this size in this zone now. Another zone may have room." },
  ),
  ...alike(
    { kind: "capacity", source: sources.machines },
    { OverconstrainedAllocationRequest: "No place satisfies all constraints together; drop one of them." },
  ),
  ...alike(
    { kind: "capacity", source: report("kubernetes-sigs/cluster-api-provider-azure#2571") },
    {
      OverconstrainedZonalAllocationRequest:
        "No place in this zone satisfies all constraints together; drop one of them.",
    },
  ),
  ...alike(
    {
      kind: "capacity",
      source: sources.deployment,
      pace: { firstSeconds: 3600 },
    },
    { SkuNotAvailable: "This size is not offered here to this subscription; choose another size, zone or region." },
  ),
  ...alike(
    { kind: "capacity", source: report("Azure/karpenter-provider-azure#192"), pace: { firstSeconds: 3600 } },
    { SKUNotFound: "This size is not offered here; choose another size, zone or region." },
  ),
};

/** Cores and machines. */
const limits: ErrorCodes = {
  ...alike(
    { kind: "quota", source: sources.quota },
    { QuotaExceeded: "Ask for a higher quota, or use another size or region." },
  ),
};

/** It may yet end well: what is there is looked at before anything is sent again. */
const slow: ErrorCodes = {
  ...alike(
    { kind: "transient", source: sources.machines, pace: { firstSeconds: 300 } },
    {
      OSProvisioningTimedOut:
        "The guest did not report in time and may still do so. If it never does: is the image generalized, and has it the Azure agent?",
      VMStartTimedOut: "The machine may still start.",
      VMRedeploymentTimedOut: "The redeployment may still end well.",
      VMExtensionProvisioningTimeout: "The extension took too long, or could not report. It may still end well.",
      VMAgentStatusCommunicationError:
        "The agent of the machine does not report: does it run, and may it reach Azure storage?",
    },
  ),
  ...alike(
    { kind: "transient", source: sources.machines },
    {
      InternalOperationError: "",
      NetworkingInternalOperationError: "",
      OSProvisioningInternalError: "",
      VMArtifactRepositoryInternalError: "",
      VMExtensionManagementInternalError: "",
      DiagnosticsOperationInternalError: "",
      StorageAccountOperationInternalError: "",
      VMRedeploymentFailed: "",
      DiskPreparationError: "The instance view of the machine's disks says more.",
      DiskProcessingError: "The instance view of the machine's disks says more.",
    },
  ),
  ...alike(
    { kind: "transient", source: sources.machines, pace: { firstSeconds: 300 } },
    { ResourceUpdateBlockedOnPlatformUpdate: "Azure updates the platform below; it takes the change afterwards." },
  ),
};

/** Too many requests of one kind. */
const throttled: ErrorCodes = alike(
  { kind: "throttled", source: sources.machines },
  { TooManyVMRedeploymentRequests: "", StorageAccountTooBusy: "" },
);

/** Another operation on the same machine or disk. */
const busy: ErrorCodes = {
  ...alike(
    { kind: "conflict", source: sources.machines },
    {
      AttachDiskWhileBeingDetached: "The disk is still being detached.",
      DiskImageNotReady: "The image is still being made.",
      AcquireDiskLeaseFailed: "The disk is in use elsewhere.",
    },
  ),
  ...alike(
    { kind: "conflict", source: sources.deployment },
    {
      OperationNotAllowedOnVMImageAsVMsBeingProvisioned: "Machines are being made from the image.",
      OperationNotAllowed: "The state of the resource does not allow it now; the message says why.",
    },
  ),
  ...alike(
    { kind: "transient", source: report("Azure/azure-rest-api-specs#22434") },
    { OperationPreempted: "A newer operation took its place." },
  ),
};

const images: ErrorCodes = {
  ...alike(
    {
      kind: "badConfiguration",
      source: report("pulumi/pulumi#5450"),
      pace: { firstSeconds: 900 },
    },
    { PlatformImageNotFound: "The image does not exist in this region: check publisher, offer, sku and version." },
  ),
  ...alike(
    {
      kind: "badConfiguration",
      source: report("kubernetes-sigs/cluster-api-provider-azure#5348"),
      pace: { firstSeconds: 900 },
    },
    { GalleryImageNotFound: "The image does not exist in the gallery, or is not replicated to this region." },
  ),
  ...alike(
    { kind: "badConfiguration", source: sources.deployment, pace: { firstSeconds: 900 } },
    { ImageNotFound: "The image does not exist; check its id." },
  ),
  ...alike(
    { kind: "badConfiguration", source: sources.machines },
    {
      ImageBlobNotFound: "The image's blob does not exist.",
      DiskBlobNotFound: "The disk's blob does not exist.",
      SubscriptionNotAuthorizedForImage: "The subscription may not use the image.",
      VMMarketplaceInvalidInput: "A Marketplace image needs its plan in the spec, any other image must have none.",
    },
  ),
};

/** The spec asks for something that cannot work. */
const wrong: ErrorCodes = alike(
  { kind: "badConfiguration", source: sources.machines },
  {
    ConflictingUserInput: "",
    ArtifactNotFound: "The extension does not exist in this region; check publisher and type.",
    ArtifactVersionNotFound: "The extension has no such version.",
    CertificateImproperlyFormatted: "The certificate is not in the form that Azure takes.",
    DiskEncryptionKeySecretMissingTags: "",
    DiskEncryptionKeySecretUnwrapFailed: "The disk encryption key cannot be unwrapped; check key and access.",
    NotSupported: "",
    OSProvisioningClientError: "The guest cannot be set up; is the image generalized?",
    VHDSizeInvalid: "The disk size is outside of what Azure takes.",
    InvalidAccountType: "The storage account type of the disk does not exist here.",
    VMExtensionHandlerNonTransientError: "The extension failed; the message has its own words.",
    VMExtensionProvisioningError: "The extension failed; the message has its own words.",
  },
);

const gone: ErrorCodes = alike({ kind: "gone", source: sources.machines }, { VMNotFound: "" });

/** Microsoft.Compute: machines, scale sets, disks, images, extensions. */
export const computeErrors: ErrorCodes = {
  ...capacity,
  ...limits,
  ...slow,
  ...throttled,
  ...busy,
  ...images,
  ...wrong,
  ...gone,
};
