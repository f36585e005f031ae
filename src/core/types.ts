import type { Json, JsonObject } from "../wire/json.ts";
import type { Quota } from "./quota.ts";

/** The vocabulary of the reconciler: values and signatures only. */

export type { Json, JsonObject } from "../wire/json.ts";

// ── outcomes ─────────────────────────────────────────────────────────────
/** What kind of trouble it is; decides back-off and what wakes the work early (see `azureErrors.ts`). */
export type FailureClass =
  | "transient"
  | "throttled"
  | "capacity"
  | "quota"
  | "policy"
  | "auth"
  | "conflict"
  | "dependency"
  | "badConfiguration"
  | "gone";

/** Why something did not work. Nothing is failed for ever: the class says how slowly it is tried again. */
export interface Failure {
  readonly kind: FailureClass;
  /** The most specific code known: Azure's inner code, a Kubernetes reason, or one of ours (`reasons.ts`). */
  readonly code: string;
  /** For people: names the thing, its value and what would be right. Never holds a secret. */
  readonly message: string;
  /** HTTP status, when there was one. */
  readonly status?: number;
  readonly retryAfterSeconds?: number;
  /** Only tags were to be written: the resource stands, and nothing waits for them. */
  readonly ofTags?: true;
  /** Of class `quota`: the limit, as far as Azure's words tell it. */
  readonly quota?: Quota;
  /** Nothing was sent: others met this cause before, and one of them tries again at this table-service time. */
  readonly sharedUntilMs?: number;
  /** Azure's ids of the refused request (`x-ms-request-id`, `x-ms-correlation-request-id`). */
  readonly requestId?: string;
  readonly correlationId?: string;
  readonly remaining?: Remaining;
}

/** How many more requests of the same kind Azure says it takes: of this identity in this subscription, and of the resource's provider. */
export interface Remaining {
  readonly whole?: number;
  readonly resource?: number;
}

/** Expected outcomes are values. An exception means a defect in our own code. */
export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

// ── names ────────────────────────────────────────────────────────────────
/** Full ARM id in the case in which it is sent: `/subscriptions/…`. Built by `resourceId()`; compared by `idKey()`. */
export type ResourceId = string & { readonly __brand: "ResourceId" };
export type Tags = Readonly<Record<string, string>>;

/** How to find one Kubernetes object in one management cluster. */
export interface ObjectKey {
  readonly kind: string;
  /** Empty for cluster-scoped kinds. */
  readonly namespace: string;
  readonly name: string;
}

// ── Kubernetes ───────────────────────────────────────────────────────────
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

/** Fields of an object that one field manager set last, as the API server keeps them. */
export interface ManagedFields {
  readonly manager: string;
  /** `status`; absent for the object itself. */
  readonly subresource?: string;
  /** When the manager last changed one of them, by the API server's clock; whole seconds. */
  readonly atMs: number;
  /** `fieldsV1`: a tree of names. */
  readonly fields: JsonObject;
}

/** One object as read from an API server. `spec` and `status` are unchecked; a kind parses its own. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly generation: number;
    readonly resourceVersion: string;
    readonly deletionTimestamp?: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations: Readonly<Record<string, string>>;
    readonly finalizers: readonly string[];
    readonly ownerReferences: readonly OwnerReference[];
    /** Who set which fields; of an object that was read or written on its own. */
    readonly managedFields?: readonly ManagedFields[];
  };
  readonly spec: JsonObject;
  readonly status: JsonObject;
}

// ── desired and observed ─────────────────────────────────────────────────
/** Where a wanted value comes from: the user's spec, or our own choice (design section 5). */
export type Mark = "asked" | "default";

/** A family of machine sizes in a place. A shortage is one of the family, not of a size. */
export interface Offering {
  readonly region: string;
  /** Empty: wherever there is room in the region. */
  readonly zone: string;
  /** `standardDSv3Family`. */
  readonly family: string;
  readonly priority: "regular" | "spot";
}

/** One wanted resource. `body` is wire JSON without `id`, `name` and `type`. */
export interface Desired {
  readonly id: ResourceId;
  readonly body: JsonObject;
  /**
   * Subtrees of `body` that we chose ourselves, as paths such as `["properties", "probes", "HTTPSProbe"]` (items of
   * keyed lists stand under their key). Every leaf under one of them is `default`; all others are `asked`.
   */
  readonly defaults: readonly (readonly string[])[];
  /** Of machines and pools: what of Azure's offer they ask for, so that a shortage is shared. */
  readonly offering?: Offering;
  /** Values that come from a Kubernetes Secret: compared and stored by its version, never shown. */
  readonly versions?: readonly SecretVersion[];
  /**
   * Subtrees whose values are made up for a creation (a password, a public key whose private part nobody keeps): sent with
   * it, and never compared, sent again, stored or shown.
   */
  readonly createOnly?: readonly (readonly string[])[];
  /** Made only while that resource is ours; what exists already is as ever. */
  readonly onlyBeside?: ResourceId;
  /** References (`{ id }`) that are left out while what they name is not made for want of its `onlyBeside`. */
  readonly ifThere?: readonly (readonly string[])[];
  /** Subtrees that another owner decides, in this one resource; like `Rules.yields` (a count under an autoscaler). */
  readonly yields?: readonly (readonly string[])[];
}

/** Where in a body a value from a Kubernetes Secret stands. */
export interface SecretVersion {
  readonly path: readonly string[];
  /** The Secret's uid and resourceVersion and the key within it, in one text. */
  readonly version: string;
}

/** What Azure answered to a GET. */
export type Observed =
  | { readonly kind: "absent" }
  | { readonly kind: "present"; readonly body: JsonObject; readonly etag?: string };

/** One leaf that we applied: canonical path, value (secrets as "***"), mark. */
export interface AppliedLeaf {
  readonly path: readonly string[];
  readonly value: Json;
  readonly mark: Mark;
  /** Of a value from a Kubernetes Secret: which version of it was applied. */
  readonly version?: string;
}

export type Effect = "inPlace" | "model" | "replace";

/** One explained difference. Secrets show as "***". */
export interface Change {
  readonly path: string;
  readonly from: Json;
  readonly to: Json;
  readonly effect: Effect;
}

/** One request to Azure that a plan wants. */
export interface PlannedRequest {
  readonly method: "PUT" | "PATCH" | "DELETE";
  /** Resource id, or an id below it (tags at scope). */
  readonly path: string;
  readonly apiVersion: string;
  /** Further query parameters. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: JsonObject;
  readonly ifMatch?: string;
  /** Create only: refuse when it exists. */
  readonly ifNoneMatch?: "*";
  readonly changes: readonly Change[];
}

/** A wanted change that is not made, and why. The other changes of the resource go on. */
export interface Refusal {
  readonly reason:
    | "ImmutableDrift"
    | "ForeignConflict"
    | "Contradiction"
    | "TooManyTags"
    | "OwnershipLost"
    | "Unmanaged"
    | "AncestorDeleting"
    | "ReconcileLoop"
    | "SpecContested"
    | "TagContested"
    | "ChangedOften";
  readonly path: string;
  readonly observed: Json;
  readonly desired: Json;
  /** For people: names both sides. */
  readonly message: string;
}

/** A long-running operation of Azure, kept as data so that any later turn can poll it. */
export interface Operation {
  readonly verb: "PUT" | "PATCH" | "DELETE" | "POST";
  /** Where to poll; absent: watch the resource itself (its provisioningState, or its 404 for DELETE). */
  readonly url?: string;
  /** `asyncOperation`: the body tells; `location`: the status code tells; `resource`: the resource tells. */
  readonly style: "asyncOperation" | "location" | "resource";
  /** Table-service time in ms. */
  readonly startedMs: number;
  readonly notBeforeMs: number;
}

/** One statement for a condition. `severity` exists exactly when the status is "False", as Cluster API v1beta1 demands. */
export type Claim =
  | { readonly type: string; readonly status: "True" | "Unknown"; readonly reason?: string; readonly message?: string }
  | {
      readonly type: string;
      readonly status: "False";
      readonly severity: "Error" | "Warning" | "Info";
      readonly reason: string;
      readonly message?: string;
    };
