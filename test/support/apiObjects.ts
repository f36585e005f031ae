import { kindEntry } from "../../src/api/registry.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { ApiAnswer, ApiClient } from "../../src/sim/controlPlane/apiClient.ts";

/** What a test sends: an object in wire form, of any kind. */
export interface AnObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** `default` where none is given. */
  readonly namespace?: string;
  readonly body: JsonObject;
}

/** An object as the API server has it. */
export interface Stored {
  readonly metadata: {
    readonly generation: number;
    readonly resourceVersion: string;
    readonly managedFields: readonly { readonly manager: string; readonly time: string }[];
    readonly [field: string]: unknown;
  };
  readonly [field: string]: unknown;
}

/** Plurals of Cluster API's kinds follow the rule of English. */
const pluralOf = (kind: string): string => {
  const plural = kindEntry(kind)?.plural;
  if (plural !== undefined) return plural;
  return kind.endsWith("s") ? `${kind.toLowerCase()}es` : `${kind.toLowerCase()}s`;
};

/** The path of the list that an object is in. */
export const collectionOf = ({ apiVersion, kind, namespace = "default" }: Omit<AnObject, "name" | "body">): string =>
  `/apis/${apiVersion}/namespaces/${namespace}/${pluralOf(kind)}`;

const pathOf = (object: Omit<AnObject, "body">): string => `${collectionOf(object)}/${object.name}`;

/** The answer's object, or an error with what the server said. */
export const storedIn = ({ status, body }: ApiAnswer): Stored => {
  if (status >= 300) throw new Error(`${status} ${body}`);
  // The one cast: the API server's own form.
  return JSON.parse(body) as Stored;
};

/** Server-side apply, as `kubectl apply --server-side` and controllers send it. */
export const apply = (
  api: ApiClient,
  object: AnObject,
  manager: string,
  options: { readonly force?: boolean } = {},
): Promise<ApiAnswer> =>
  api.send({
    method: "PATCH",
    path: `${pathOf(object)}?fieldManager=${manager}&force=${options.force === true}&fieldValidation=Strict`,
    contentType: "application/apply-patch+yaml",
    body: JSON.stringify(object.body),
  });

/** Creation from the client's side, as `kubectl create` sends it; a field that the definition does not know is refused. */
export const create = (
  api: ApiClient,
  object: AnObject,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<ApiAnswer> =>
  api.send({
    method: "POST",
    path: `${collectionOf(object)}?fieldManager=kubectl-create&fieldValidation=Strict${dryRun ? "&dryRun=All" : ""}`,
    contentType: "application/json",
    body: JSON.stringify(object.body),
  });

export const read = async (api: ApiClient, object: Omit<AnObject, "body">): Promise<Stored> =>
  storedIn(await api.send({ path: pathOf(object) }));

export const remove = (api: ApiClient, object: Omit<AnObject, "body">): Promise<ApiAnswer> =>
  api.send({ method: "DELETE", path: pathOf(object) });

/** A change by merge patch, as `kubectl edit` sends it. */
export const patch = (api: ApiClient, object: Omit<AnObject, "body">, body: JsonObject): Promise<ApiAnswer> =>
  api.send({
    method: "PATCH",
    path: pathOf(object),
    contentType: "application/merge-patch+json",
    body: JSON.stringify(body),
  });

/** The whole object anew, as `kubectl replace` sends it; its metadata must name the resourceVersion. */
export const replace = (api: ApiClient, object: AnObject): Promise<ApiAnswer> =>
  api.send({
    method: "PUT",
    path: pathOf(object),
    contentType: "application/json",
    body: JSON.stringify(object.body),
  });

/** What a controller would have written. */
export const patchStatus = (api: ApiClient, object: Omit<AnObject, "body">, status: JsonObject): Promise<ApiAnswer> =>
  api.send({
    method: "PATCH",
    path: `${pathOf(object)}/status`,
    contentType: "application/merge-patch+json",
    body: JSON.stringify({ status }),
  });
