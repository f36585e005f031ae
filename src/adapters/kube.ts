import { textAt } from "../api/json.ts";
import { type KindEntry, kindEntry } from "../api/registry.ts";
import type { Failure, Json, JsonObject, KubeObject, ObjectKey, Result } from "../core/types.ts";
import type { ApplyOptions, Kube } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import { kubeAsk } from "./kubeAsk.ts";
import { tellKubeEvent } from "./kubeEvent.ts";
import { listAllKube, listKubePage } from "./kubeListPage.ts";
import { parseKubeMetadata, parseKubeObject, withManagedFields } from "./kubeObject.ts";
import { objectPath, queryOf } from "./kubePaths.ts";
import type { KubeReader } from "./kubeReader.ts";
import type { KubeTransport } from "./kubeTransport.ts";
import { watchKube } from "./kubeWatch.ts";
import { secretText } from "./secretText.ts";

const failed = (error: Failure): Result<never> => ({ ok: false, error });
const unknownKind = (kind: string): Failure => ({
  kind: "badConfiguration",
  code: "UnknownKind",
  message: `kind ${kind} is not one that this release reads or writes`,
});
const unreadable = ({ kind, namespace, name }: ObjectKey): Failure => ({
  kind: "transient",
  code: "UnreadableAnswer",
  message: `the API server's answer for ${kind} ${namespace}/${name} lacks the metadata of an object`,
});

/** A kind's entry, or the failure that stands for every call about an unknown one. */
const withEntry = async <T>(kind: string, use: (entry: KindEntry) => Promise<Result<T>>): Promise<Result<T>> => {
  const entry = kindEntry(kind);
  return entry === undefined ? failed(unknownKind(kind)) : use(entry);
};

const getBody = (
  transport: KubeTransport,
  entry: KindEntry,
  { namespace, name }: ObjectKey,
): Promise<Result<JsonObject>> =>
  kubeAsk(transport, { method: "GET", path: objectPath(entry, namespace, name) }, { plural: entry.plural, name });

const parsed = (answer: Result<JsonObject>, entry: KindEntry, key: ObjectKey): Result<KubeObject> => {
  if (!answer.ok) return answer;
  const object = parseKubeObject(answer.value, entry);
  return object === undefined ? failed(unreadable(key)) : { ok: true, value: withManagedFields(object, answer.value) };
};

const keyOfManifest = (manifest: JsonObject): ObjectKey | undefined => {
  const { kind, metadata } = manifest;
  if (typeof kind !== "string" || !isJsonObject(metadata)) return undefined;
  const { name, namespace = "" } = metadata;
  return typeof name === "string" && typeof namespace === "string" ? { kind, namespace, name } : undefined;
};

/** The manifest goes to the server byte for byte as the engine made it: nothing is dropped, renamed or defaulted. */
const apply = async (
  transport: KubeTransport,
  manifest: JsonObject,
  { fieldManager, subresource }: ApplyOptions,
): Promise<Result<KubeObject>> => {
  const key = keyOfManifest(manifest);
  if (key === undefined) {
    return failed({
      kind: "badConfiguration",
      code: "BadManifest",
      message: "a manifest needs kind and metadata.name",
    });
  }
  return withEntry(key.kind, async (entry) => {
    const path = objectPath(entry, key.namespace, key.name) + (subresource === undefined ? "" : `/${subresource}`);
    const answer = await kubeAsk(
      transport,
      {
        method: "PATCH",
        path: path + queryOf({ fieldManager, force: true }),
        // JSON is YAML; the server takes an apply under no other name.
        headers: { Accept: "application/json", "Content-Type": "application/apply-patch+yaml" },
        body: JSON.stringify(manifest),
      },
      { plural: entry.plural, name: key.name },
    );
    return parsed(answer, entry, key);
  });
};

/** By JSON patch, whose tests see to it that nothing else is taken off. */
const dropFinalizer = async (
  transport: KubeTransport,
  entry: KindEntry,
  key: ObjectKey,
  uid: string,
  finalizer: string,
): Promise<Result<void>> => {
  const read = parsed(await getBody(transport, entry, key), entry, key);
  if (!read.ok) return read;
  const { metadata } = read.value;
  const at = metadata.finalizers.indexOf(finalizer);
  if (metadata.uid !== uid || at < 0) return { ok: true, value: undefined };
  const patch = [
    { op: "test", path: "/metadata/uid", value: uid },
    { op: "test", path: `/metadata/finalizers/${at}`, value: finalizer },
    { op: "remove", path: `/metadata/finalizers/${at}` },
  ];
  const answer = await kubeAsk(
    transport,
    {
      method: "PATCH",
      path: objectPath(entry, key.namespace, key.name),
      headers: { Accept: "application/json", "Content-Type": "application/json-patch+json" },
      body: JSON.stringify(patch),
    },
    { plural: entry.plural, name: key.name },
  );
  return answer.ok ? { ok: true, value: undefined } : answer;
};

const versionOf = (metadata: Json | undefined): string =>
  `${textAt(metadata, "uid") ?? ""}/${textAt(metadata, "resourceVersion") ?? ""}`;

const decoded = (data: JsonObject): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, secretText(Buffer.from(value, "base64"))]] : [],
    ),
  );

/** The port to one management cluster over a transport. */
export const kubeOver = (transport: KubeTransport): Kube => ({
  get: (key) => withEntry(key.kind, async (entry) => parsed(await getBody(transport, entry, key), entry, key)),
  list: (kind) =>
    withEntry(kind, (entry) => listAllKube(transport, entry, { kind }, (object) => parseKubeObject(object, entry))),
  listMetadata: (kind) =>
    withEntry(kind, (entry) =>
      listAllKube(transport, entry, { kind, metadataOnly: true }, (object) => parseKubeMetadata(object, entry)),
    ),
  apply: (manifest, options) => apply(transport, manifest, options),
  dropFinalizer: (key, uid, finalizer) =>
    withEntry(key.kind, (entry) => dropFinalizer(transport, entry, key, uid, finalizer)),
  secret: (namespace, name) =>
    withEntry("Secret", async (entry) => {
      const answer = await getBody(transport, entry, { kind: "Secret", namespace, name });
      if (!answer.ok) return answer;
      const { data, metadata } = answer.value;
      return { ok: true, value: { version: versionOf(metadata), values: isJsonObject(data) ? decoded(data) : {} } };
    }),
  event: (object, event) => tellKubeEvent(transport, object, event),
});

/** Lists and watches over a transport. */
export const kubeReaderOver = (transport: KubeTransport): KubeReader => ({
  listPage: (options) => withEntry(options.kind, (entry) => listKubePage(transport, entry, options)),
  watchKind: async (options) => {
    const entry = kindEntry(options.kind);
    return entry === undefined
      ? { kind: "failed", failure: unknownKind(options.kind) }
      : watchKube(transport, entry, options);
  },
});
