import { canonicalJson } from "../../core/hash.ts";
import type { ToldEvent } from "../../core/kubeEvent.ts";
import type { Failure, Json, JsonObject, KubeObject, ManagedFields, ObjectKey, Result } from "../../core/types.ts";
import type { ApplyOptions, Kube, Secret } from "../../ports.ts";
import { isJsonObject } from "../../wire/json.ts";
import { applyOwned, finalizersPath, type Owners } from "./fieldOwners.ts";
import { managedAfter } from "./managedFields.ts";
import { memoryEvents } from "./memoryEvents.ts";

/** An API server in memory, as far as turns use one. */
export interface MemoryObjects extends Kube {
  /** Makes or replaces an object as a user would; metadata that the server sets is set. */
  put(object: UserObject): KubeObject;
  /** Changes an object as a user would, by default with `kubectl edit`; undefined when there is none. */
  edit(key: ObjectKey, change: (object: KubeObject) => KubeObject, manager?: string): KubeObject | undefined;
  /** `kubectl delete`: gone at once without finalizers. */
  remove(key: ObjectKey): void;
  find(key: ObjectKey): KubeObject | undefined;
  /** Events in the order in which they were first told. */
  events(): readonly ToldEvent[];
  all(): readonly KubeObject[];
  putSecret(namespace: string, name: string, values: Readonly<Record<string, string>>): void;
  /** Called after every change with what was there before. */
  onChange(listener: (after: KubeObject | undefined, before: KubeObject | undefined) => void): void;
}

export interface UserObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string } & Partial<
    Omit<KubeObject["metadata"], "name" | "namespace">
  >;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

interface Stored {
  readonly object: KubeObject;
  readonly managed: readonly ManagedFields[];
  readonly owners: Owners;
}

export type KubeFault = (call: "read" | "write", key: ObjectKey) => Failure | undefined;

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;
const keyOf = ({ kind, metadata }: Pick<KubeObject, "kind" | "metadata">): ObjectKey => ({
  kind,
  namespace: metadata.namespace,
  name: metadata.name,
});
const fail = (
  kind: Failure["kind"],
  code: string,
  message: string,
  status: number,
): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error: { kind, code, message, status },
});
const notFound = (key: ObjectKey): { readonly ok: false; readonly error: Failure } =>
  fail("gone", "NotFound", `${textOf(key)} not found`, 404);
const textIn = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const same = (left: Json, right: Json): boolean => canonicalJson(left) === canonicalJson(right);

/** `nowMs` dates deletions; `fault` is asked before every call of the port. */
export const memoryObjects = (nowMs: () => number, fault: KubeFault = () => undefined): MemoryObjects => {
  const objects = new Map<string, Stored>();
  const secrets = new Map<string, Secret>();
  const listeners: ((after: KubeObject | undefined, before: KubeObject | undefined) => void)[] = [];
  const events = memoryEvents();
  let version = 0;

  const store = (next: KubeObject, owners: Owners, before: Stored | undefined, manager: string): KubeObject => {
    const text = textOf(keyOf(next));
    const leaving = next.metadata.deletionTimestamp !== undefined && next.metadata.finalizers.length === 0;
    version += 1;
    const object = { ...next, metadata: { ...next.metadata, resourceVersion: String(version) } };
    const specs = { before: before?.object.spec, after: next.spec };
    const managed = managedAfter(before?.managed ?? [], manager, specs, nowMs());
    if (leaving) objects.delete(text);
    else objects.set(text, { object, owners, managed });
    for (const listener of listeners) listener(leaving ? undefined : object, before?.object);
    return object;
  };

  /** Stores only what differs; the spec moves the generation. */
  const update = (stored: Stored, next: KubeObject, owners: Owners, manager = "kubectl-edit"): KubeObject => {
    const changed = !same(next.spec, stored.object.spec);
    const unchanged =
      !changed &&
      same(next.status, stored.object.status) &&
      same(next.metadata as unknown as Json, stored.object.metadata as unknown as Json);
    if (unchanged) {
      objects.set(textOf(keyOf(next)), { ...stored, owners });
      return stored.object;
    }
    const generation = stored.object.metadata.generation + (changed ? 1 : 0);
    return store({ ...next, metadata: { ...next.metadata, generation } }, owners, stored, manager);
  };

  /** As a request for this very object is answered: with who set which fields. */
  const answered = (object: KubeObject): KubeObject => {
    const managedFields = objects.get(textOf(keyOf(object)))?.managed ?? [];
    return { ...object, metadata: { ...object.metadata, managedFields } };
  };

  const apply = (manifest: JsonObject, { fieldManager, subresource }: ApplyOptions): Result<KubeObject> => {
    const metadata = isJsonObject(manifest["metadata"]) ? manifest["metadata"] : {};
    const key = {
      kind: textIn(manifest["kind"]),
      namespace: textIn(metadata["namespace"]),
      name: textIn(metadata["name"]),
    };
    const broken = fault("write", key);
    if (broken !== undefined) return { ok: false, error: broken };
    const stored = objects.get(textOf(key));
    if (stored === undefined)
      return subresource === "status" ? notFound(key) : fail("conflict", "Conflict", "uid mismatch", 409);
    const { object } = stored;
    const { uid, resourceVersion, ...rest } = metadata;
    if (uid !== object.metadata.uid) return fail("conflict", "Conflict", "uid mismatch", 409);
    if (resourceVersion !== undefined && resourceVersion !== object.metadata.resourceVersion)
      return fail("conflict", "Conflict", "the object has been modified", 409);
    const wanted =
      subresource === "status"
        ? { status: manifest["status"] ?? {} }
        : { metadata: rest, ...(manifest["spec"] === undefined ? {} : { spec: manifest["spec"] }) };
    const applied = applyOwned(
      object as unknown as JsonObject,
      wanted,
      `${fieldManager}/${subresource ?? ""}`,
      stored.owners,
    );
    const after = update(stored, applied.object as unknown as KubeObject, applied.owners, fieldManager);
    return { ok: true, value: answered(after) };
  };

  const dropFinalizer = (key: ObjectKey, uid: string, finalizer: string): Result<void> => {
    const broken = fault("write", key);
    if (broken !== undefined) return { ok: false, error: broken };
    const stored = objects.get(textOf(key));
    if (stored === undefined) return notFound(key);
    const { metadata } = stored.object;
    if (metadata.uid === uid) {
      const finalizers = metadata.finalizers.filter((one) => one !== finalizer);
      update(stored, { ...stored.object, metadata: { ...metadata, finalizers } }, stored.owners);
    }
    return { ok: true, value: undefined };
  };

  const guarded = <T>(key: ObjectKey, value: () => Result<T>): Promise<Result<T>> => {
    const broken = fault("read", key);
    return Promise.resolve(broken === undefined ? value() : { ok: false, error: broken });
  };
  const listed = (kind: string): readonly KubeObject[] =>
    [...objects.values()].map(({ object }) => object).filter((object) => object.kind === kind);

  return {
    get: (key) =>
      guarded(key, () => {
        const found = objects.get(textOf(key));
        return found === undefined ? notFound(key) : { ok: true, value: answered(found.object) };
      }),
    list: (kind) => guarded({ kind, namespace: "", name: "" }, () => ({ ok: true, value: listed(kind) })),
    listMetadata: (kind) => guarded({ kind, namespace: "", name: "" }, () => ({ ok: true, value: listed(kind) })),
    apply: (manifest, options) => Promise.resolve(apply(manifest, options)),
    dropFinalizer: (key, uid, finalizer) => Promise.resolve(dropFinalizer(key, uid, finalizer)),
    secret: (namespace, name) =>
      guarded({ kind: "Secret", namespace, name }, () => {
        const values = secrets.get(`${namespace}/${name}`);
        return values === undefined ? notFound({ kind: "Secret", namespace, name }) : { ok: true, value: values };
      }),
    event: (object, event) => {
      const broken = fault("write", { kind: "Event", namespace: object.metadata.namespace, name: event.reason });
      if (broken === undefined) events.tell(object, event);
      return Promise.resolve(broken === undefined ? { ok: true, value: undefined } : { ok: false, error: broken });
    },
    events: () => events.all(),
    put: (user) => {
      const next = completed(user, version + 1);
      const stored = objects.get(textOf(keyOf(next)));
      // What a user makes an object with belongs to the user, as with `clusterctl move`.
      const owners = new Map([["user/", new Map([[finalizersPath, next.metadata.finalizers]])]]);
      if (stored === undefined) return store(next, owners, undefined, "kubectl-create");
      const metadata = {
        ...stored.object.metadata,
        labels: next.metadata.labels,
        annotations: next.metadata.annotations,
      };
      return update(stored, { ...stored.object, metadata, spec: next.spec }, stored.owners);
    },
    edit: (key, change, manager) => {
      const stored = objects.get(textOf(key));
      return stored === undefined ? undefined : update(stored, change(stored.object), stored.owners, manager);
    },
    remove: (key) => {
      const stored = objects.get(textOf(key));
      if (stored === undefined || stored.object.metadata.deletionTimestamp !== undefined) return;
      const { metadata } = stored.object;
      const deletionTimestamp = new Date(nowMs()).toISOString();
      store(
        { ...stored.object, metadata: { ...metadata, deletionTimestamp, generation: metadata.generation + 1 } },
        stored.owners,
        stored,
        "kubectl-delete",
      );
    },
    find: (key) => objects.get(textOf(key))?.object,
    all: () => [...objects.values()].map(({ object }) => object),
    putSecret: (namespace, name, values) => {
      version += 1;
      secrets.set(`${namespace}/${name}`, { version: String(version), values });
    },
    onChange: (listener) => void listeners.push(listener),
  };
};

const completed = ({ apiVersion, kind, metadata, spec = {}, status = {} }: UserObject, serial: number): KubeObject => ({
  apiVersion,
  kind,
  metadata: {
    namespace: "",
    uid: `uid-${serial}`,
    generation: 1,
    resourceVersion: "",
    labels: {},
    annotations: {},
    finalizers: [],
    ownerReferences: [],
    ...metadata,
  },
  spec,
  status,
});
