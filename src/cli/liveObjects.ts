import { isObject } from "../api/json.ts";
import type { Json, JsonObject } from "../core/types.ts";
import type { ApiClient } from "../sim/controlPlane/apiClient.ts";
import type { Shown } from "./treeRows.ts";

/** Reads all objects of the category `cluster-api`, in every namespace. */
export interface LiveObjects {
  /** Undefined when the API server does not answer. */
  read(): Promise<readonly Shown[] | undefined>;
}

/** The API groups of Cluster API and of its providers, in the versions in which the demo reads them. */
const groupVersions = [
  "cluster.x-k8s.io/v1beta2",
  "controlplane.cluster.x-k8s.io/v1beta2",
  "bootstrap.cluster.x-k8s.io/v1beta2",
  "infrastructure.cluster.x-k8s.io/v1beta1",
] as const;

/** One kind that is listed. */
interface Listed {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

const get = async (api: ApiClient, path: string): Promise<JsonObject> => {
  const { status, body } = await api.send({ path });
  const parsed: unknown = JSON.parse(body);
  // The cast: JSON is JSON.
  if (status === 200 && isObject(parsed as Json)) return parsed as JsonObject;
  throw new Error(`the API server answered ${status} to ${path}`);
};

const objectsAt = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];

/** A resource of the discovery that is an object itself and of the category; subresources have a slash in their names. */
const listedOf = (apiVersion: string, { name, kind, categories }: JsonObject): readonly Listed[] =>
  typeof name === "string" &&
  typeof kind === "string" &&
  !name.includes("/") &&
  Array.isArray(categories) &&
  categories.includes("cluster-api")
    ? [{ apiVersion, kind, plural: name }]
    : [];

const discover = async (api: ApiClient): Promise<readonly Listed[]> => {
  const found = await Promise.all(
    groupVersions.map(async (apiVersion) =>
      objectsAt((await get(api, `/apis/${apiVersion}`))["resources"]).flatMap((it) => listedOf(apiVersion, it)),
    ),
  );
  return found.flat();
};

const shown = (item: JsonObject, { apiVersion, kind }: Listed): Shown => {
  // The one cast: the API server's own form, with what it may leave out filled in.
  const { metadata, spec, status } = item as unknown as Shown["object"] & {
    readonly metadata: { readonly creationTimestamp?: string };
  };
  const { creationTimestamp: created } = metadata;
  const object = {
    apiVersion,
    kind,
    metadata: { ...metadata, ownerReferences: metadata.ownerReferences ?? [] },
    spec: spec ?? {},
    status: status ?? {},
  };
  return { object, ...(created !== undefined && { created }) };
};

/** Lists the kinds that the API server has when first asked. */
export const liveObjects = (api: ApiClient): LiveObjects => {
  let kinds: readonly Listed[] | undefined;
  return {
    read: async () => {
      try {
        kinds ??= await discover(api);
        const lists = await Promise.all(
          kinds.map(async (kind) => {
            const list = await get(api, `/apis/${kind.apiVersion}/${kind.plural}`);
            return objectsAt(list["items"]).map((item) => shown(item, kind));
          }),
        );
        return lists.flat();
      } catch {
        // It may be down for a moment; whoever asks will ask again.
        return undefined;
      }
    },
  };
};
