import { setTimeout as sleep } from "node:timers/promises";
import { isObject } from "../api/json.ts";
import type { Json, JsonObject, Result } from "../core/types.ts";
import type { ApiClient } from "../sim/controlPlane/apiClient.ts";
import type { Shown } from "./treeRows.ts";

/** Reads all objects of the category `cluster-api`, in every namespace. */
export interface LiveObjects {
  /** The error says why the API server could not be read. */
  read(): Promise<Result<readonly Shown[], string>>;
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

const patience = { tries: 20, pauseMs: 100 } as const;

/** A kind whose definition is new is answered with 429 until the API server has set up its store. */
const get = async (api: ApiClient, path: string, tries: number = patience.tries): Promise<JsonObject> => {
  const { status, body } = await api.send({ path });
  if (status === 429 && tries > 0) {
    await sleep(patience.pauseMs);
    return get(api, path, tries - 1);
  }
  if (status !== 200) throw new Error(`the API server answered ${status} to ${path}`);
  const parsed: unknown = JSON.parse(body);
  // The casts: JSON is JSON.
  if (!isObject(parsed as Json)) throw new Error(`the API server answered no object to ${path}`);
  return parsed as JsonObject;
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
        return { ok: true, value: lists.flat() };
      } catch (error) {
        // It may be down for a moment; whoever asks will ask again.
        return { ok: false, error: error instanceof Error ? error.message : String(error) };
      }
    },
  };
};
