/**
 * Every reason that a condition or a failure of ours may carry, with its meaning. The reference page is tested against
 * this table. Reasons that Cluster API Provider Azure has keep its spelling, because dashboards and scripts match on them.
 */
export const reasons = Object.freeze({
  // ── progress of a service ──────────────────────────────────────────────
  Creating: "Azure is creating or updating the resources of this service.",
  Updating: "Azure is updating resources of this service in place.",
  Deleting: "Azure is deleting the resources of this service.",
  Deleted: "The resources of this service are gone.",
  Failed:
    "Azure refused the resources of this service; the message has Azure's own words. It is tried again, more slowly.",
  DeletionFailed:
    "Azure refused to delete a resource; the message has Azure's own words. It is tried again, more slowly.",

  // ── before anything is written ─────────────────────────────────────────
  InvalidConfiguration: "A field has a value that cannot work; the message names field, value and what would be right.",
  SpecNotValid: "The spec cannot work, so nothing is done; condition SpecValid says why.",
  OwnerRefNotSet:
    "Cluster API has not yet set the Cluster as owner of this object; it does so when a Cluster refers to it.",
  ClusterNotFound: "The Cluster that owns this object cannot be found.",
  IdentityNotFound: "The AzureClusterIdentity that `spec.identityRef` names does not exist.",
  IdentityDeleting:
    "The AzureClusterIdentity that `spec.identityRef` names is being deleted, and this object has not made sure of it before.",
  IdentitySecretNotFound: "The secret that the AzureClusterIdentity names is missing or lacks the key it needs.",
  IdentityNotAllowed: "The identity, or the file that it names, is not one that this installation may use.",
  NamespaceNotAllowedByIdentity:
    "`allowedNamespaces` of the AzureClusterIdentity does not include the namespace of this object.",
  ExternallyManagedControlPlane:
    "The control plane is somebody else's, and its endpoint is not yet in `spec.controlPlaneEndpoint`.",

  // ── refusals ───────────────────────────────────────────────────────────
  ImmutableDrift:
    "A field differs from the spec and cannot be changed in Azure; it keeps its value, everything else goes on.",
  ForeignConflict: "Something that is not ours stands where ours would have to be; the message names both.",
  Contradiction: "The spec asks for two things that exclude each other; the second one is left out.",
  TooManyTags: "Azure takes 50 tags of a resource: those that would be more are left out, everything else goes on.",
  OwnershipLost: "A resource that we created no longer carries our owner tag: it is neither changed nor deleted.",
  AncestorDeleting: "An owner of this object is being deleted, so nothing is created any more.",
  Adopted: "A resource is managed from now on, because a person asked for it.",
  Abandoned: "Resources are left behind in Azure, because a person asked for it.",
  AdoptionNotWanted: "The annotation that asks for adoption names a resource that this object does not want.",
  Unmanaged: "The resource exists without our owner tag: it is used as it is and never written.",
  DeleteBlocked: "Deletion cannot go on; the message names what remains and why.",
  InfrastructureLost: "A resource group that was ours is gone: nothing is made again until somebody asks for it.",

  Drifted: "Azure differs from the spec; annotation `capstan.azure/report-only` has it shown and not written.",
  Held: "Azure differs from the spec; annotation `capstan.azure/hold` keeps it from being written.",

  // ── loops ──────────────────────────────────────────────────────────────
  ReconcileLoop:
    "The same change is written again and again; the message names the field, both values and when it goes on.",
  SpecContested: "Two writers change the same fields of the spec in turn.",
  TagContested: "Somebody else rewrites a tag of ours.",
  ChangedOften: "The spec was changed so often within an hour that further writes are spread out.",

  // ── of the installation ────────────────────────────────────────────────
  Paused: "The object or its Cluster is paused: nothing is read from Azure or written to it.",
  ReconcileDefect: "Our own code failed; it is tried again. Please report it with the message.",
  UnknownCluster: "A message names a management cluster that is not registered in the settings.",
  UnknownKind: "A message names a kind that this release does not reconcile.",
  KubeconfigUnreadable: "The settings' kubeconfig of a management cluster cannot be read.",
  CredentialUnusable: "The credential of the identity has the wrong form.",
  CredentialFileUnreadable: "The credential file that the identity names cannot be read in the configured folder.",

  // ── of the systems around ──────────────────────────────────────────────
  UntrustedUrl: "Azure's answer led to a host outside the cluster's cloud; it was not followed.",
  Redirected: "Azure answered with a redirect, which is never followed.",
  BadPath: "A path is not that of a resource; nothing was sent.",
  EndlessList: "Azure's list led back to a page that was read already.",
  OperationFailed: "An operation of Azure ended without success and without a reason.",
  TokenUnavailable: "Entra ID gives the identity no token.",
  TokenNotAnswered: "Entra ID did not answer.",
  HeldBack:
    "Azure has said that it takes few requests now, or none: nothing was sent, and it goes on by itself in a moment.",
  NoAnswer: "No answer came in time; it may or may not have happened, and is looked at again.",
  UnreadableAnswer: "An answer had a form that it must not have.",
  UnknownField: "The API server does not know a field that we apply; its definitions are of another release.",
  UidMismatch: "Another object has taken the place of the one that was meant.",
  KindOrNamespaceNotFound: "The API server does not know the kind or the namespace.",
  BadManifest: "An object to be applied lacks kind, name or uid; nothing was sent.",

  NobodyToAsk: "No object with something in a subscription may ask Azure for its changes; they are asked for later.",

  // ── of our memory ──────────────────────────────────────────────────────
  RowTooLarge:
    "What is to be remembered of a resource exceeds what a table row holds (800 KiB), so it is not written, and the rest goes on: the spec has to ask for less in one resource.",
  RowDamaged: "A table row cannot be read.",
  RowFromTheFuture: "A table row was written by a newer release.",
  RowContended: "A table row is changed all the time by others.",
  LeaseLost: "Another turn of the same object took over.",
  TurnTooLong: "The turn had taken too long to ask Azure or to write to the API server; the next one goes on.",
  PreconditionFailed: "Somebody else wrote first; it is read and planned again.",
  OutcomeUnknown: "No answer came; it may or may not have happened, and is read again.",
});

export type Reason = keyof typeof reasons;
