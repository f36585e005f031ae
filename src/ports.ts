import type { CredentialSpec } from "./core/identity.ts";
import type { KubeEvent } from "./core/kubeEvent.ts";
import type { Failure, Json, JsonObject, KubeObject, ObjectKey, Operation, Remaining, Result } from "./core/types.ts";

/** All that the engine asks of the outside world. Each port has one adapter, one simulator and one shared contract suite. */

// ── Azure Resource Manager ───────────────────────────────────────────────
export interface ArmRequest {
  readonly method: "GET" | "PUT" | "PATCH" | "DELETE" | "POST";
  /** Absolute path without query: `/subscriptions/…`. */
  readonly path: string;
  readonly apiVersion: string;
  /** Further query parameters, such as `$filter`. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Json;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: "*";
  /** A person waits for it: what other objects were refused does not hold it. */
  readonly asked?: true;
}
export interface ArmAnswer {
  readonly status: number;
  readonly body: Json;
  readonly etag?: string;
  /** Present when Azure works on. `startedMs` and `notBeforeMs` are relative to the answer: 0 and the Retry-After. */
  readonly operation?: Operation;
  readonly correlationId: string;
  /** Azure's own id of the request (`x-ms-request-id`). */
  readonly requestId?: string;
  readonly remaining?: Remaining;
}
export type PollAnswer =
  | {
      readonly kind: "running";
      readonly operation: Operation;
      readonly retryAfterSeconds: number;
      /** Azure did not say when to come back. */
      readonly guessed?: true;
    }
  | { readonly kind: "succeeded"; readonly body: Json }
  /** Azure ended it as failed or cancelled. */
  | { readonly kind: "failed"; readonly failure: Failure }
  /** Azure no longer knows the URL: the resource itself has to tell. */
  | { readonly kind: "unknown" };
/** One connection: one credential, one cloud. One HTTP request a call, no retries inside. */
/** Asked before each further page of a list; a failure ends the list with it. */
export type MayGoOn = () => Promise<Failure | undefined>;
export interface Arm {
  send(request: ArmRequest): Promise<Result<ArmAnswer>>;
  /** A Failure is one of the poll itself: the operation goes on. */
  poll(
    operation: Operation,
    target: { readonly path: string; readonly apiVersion: string },
  ): Promise<Result<PollAnswer & Pick<ArmAnswer, "remaining">>>;
  /** All pages of a list, or the failure of one. */
  list(request: ArmRequest, mayGoOn?: MayGoOn): Promise<Result<readonly JsonObject[]>>;
}
export interface Azure {
  /** Refuses what the security rules forbid (`IdentityNotAllowed`, `UntrustedUrl`); makes no request. */
  connect(credential: CredentialSpec): Promise<Result<Arm>>;
}

// ── one management cluster ───────────────────────────────────────────────
export interface ApplyOptions {
  readonly fieldManager: string;
  readonly subresource?: "status";
}
export interface Secret {
  /** Uid and resourceVersion: another one says that the values may have changed. */
  readonly version: string;
  /** As text; what is no UTF-8 in Base64. */
  readonly values: Readonly<Record<string, string>>;
}
export interface Kube {
  /** Failure class `gone` only for a NotFound that names this object. Group and version come from `core/kinds table`. */
  get(key: ObjectKey): Promise<Result<KubeObject>>;
  /** All objects of a kind with metadata, for the resync. */
  listMetadata(kind: string): Promise<Result<readonly Omit<KubeObject, "spec" | "status">[]>>;
  /** All objects of a kind, whole. */
  list(kind: string): Promise<Result<readonly KubeObject[]>>;
  /** Forced server-side apply. The manifest carries `metadata.uid`, so that it can never recreate a deleted object. */
  apply(manifest: JsonObject, options: ApplyOptions): Promise<Result<KubeObject>>;
  /**
   * Takes one finalizer off, whoever set it: an apply takes back only what no other manager says too. The uid guards it;
   * a finalizer that is not there is fine.
   */
  dropFinalizer(key: ObjectKey, uid: string, finalizer: string): Promise<Result<void>>;
  /** Decoded values of a secret. They go nowhere but into a credential or a create body. */
  secret(namespace: string, name: string): Promise<Result<Secret>>;
  /** Tells in the object's list of events that something happened to it; the same of the same is counted. */
  event(object: KubeObject, event: KubeEvent): Promise<Result<void>>;
}
export interface Clusters {
  /** `UnknownCluster` when the uid is not registered in the settings. */
  connect(cluster: string): Promise<Result<Kube>>;
}

// ── tables ───────────────────────────────────────────────────────────────
export type TableName = "state" | "history" | "index" | "shared" | "orphans";
export interface TableRow {
  readonly partition: string;
  readonly row: string;
  readonly etag: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
  /** Larger values, stored gzipped in 64 KiB pieces; together at most 800 KiB a row (`RowTooLarge`). */
  readonly packed: Readonly<Record<string, Json>>;
}
export type TableAction =
  | {
      readonly kind: "insert";
      readonly row: string;
      readonly values: TableRow["values"];
      readonly packed?: TableRow["packed"];
    }
  | {
      readonly kind: "replace";
      readonly row: string;
      readonly values: TableRow["values"];
      readonly packed?: TableRow["packed"];
      readonly etag: string;
    }
  | {
      readonly kind: "upsert";
      readonly row: string;
      readonly values: TableRow["values"];
      readonly packed?: TableRow["packed"];
    }
  /** `etag` is honoured only when the delete stands alone: in a transaction Azure's client drops it. */
  | { readonly kind: "delete"; readonly row: string; readonly etag?: string };
export interface Tables {
  get(table: TableName, partition: string, row: string): Promise<Result<TableRow | undefined>>;
  list(table: TableName, partition: string): Promise<Result<readonly TableRow[]>>;
  /**
   * One transaction of at most 90 actions on one partition. Answers the new etags by row. Failure codes:
   * `PreconditionFailed` (412, 409, and 404 of a row to be replaced: a lost race), `OutcomeUnknown` (time-out or cut connection: it may have happened),
   * `RowTooLarge` (nothing sent).
   */
  commit(
    table: TableName,
    partition: string,
    actions: readonly TableAction[],
  ): Promise<Result<ReadonlyMap<string, string>>>;
  /** The table service's time: last `Date` header plus monotonic time since. Undefined before the first answer. */
  nowMs(): number | undefined;
}

// ── queue, time, chance, log ─────────────────────────────────────────────
export interface QueueMessage {
  readonly messageId: string;
  readonly body: Json;
  /** From now; 0 or absent: at once. */
  readonly delayMs?: number;
}
export interface WorkQueue {
  send(queue: "reconcile" | "reconcile-failed", messages: readonly QueueMessage[]): Promise<Result<void>>;
}
/** Time since some start, never going back. */
export interface Clock {
  monotonicMs(): number;
  /** Resolves after so long; on a virtual clock when it gets there. */
  sleep(ms: number): Promise<void>;
}
/** A new random token, 16 hex digits. */
export type Nonce = () => string;
export type Fields = Readonly<Record<string, string | number | boolean | undefined>>;
/** The message is a constant that one can grep for; all that varies is a field. */
export type Log = (level: "debug" | "info" | "warn" | "error", message: string, fields?: Fields) => void;
