import type { KindEntry } from "../api/registry.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { isJsonObject } from "../wire/json.ts";
import { kubeAsk } from "./kubeAsk.ts";
import { parseKubeObject } from "./kubeObject.ts";
import { objectPath, queryOf } from "./kubePaths.ts";
import { contextNamespace, type KubeSource, type KubeTransport, openKubeTransport } from "./kubeTransport.ts";

/** What a person does to objects with their own kubeconfig, so that the API server's roles and audit apply. */
export interface KubeOperator {
  /** Of the current context; `default` when it names none. */
  readonly namespace: string;
  /** Name under which the API server knows the caller. */
  whoAmI(): Promise<Result<string>>;
  /** uid of the cluster's namespace `kube-system`. */
  clusterUid(): Promise<Result<string>>;
  get(entry: KindEntry, namespace: string, name: string): Promise<Result<KubeObject>>;
  /**
   * Sets annotations of the object as read, or with null takes them off. Failure class `conflict` when it was written
   * meanwhile. A dry run asks the API server whether it would be allowed and stores nothing.
   */
  annotate(
    entry: KindEntry,
    object: KubeObject,
    values: Annotations,
    how: { readonly dryRun: boolean },
  ): Promise<Result<void>>;
}

export type Annotations = Readonly<Record<string, string | null>>;

const fieldManager = "capstan-cli";

const unreadable: Result<never> = {
  ok: false,
  error: {
    kind: "transient",
    code: "UnreadableAnswer",
    message: "the API server's answer has no metadata of an object",
  },
};

const get = async (
  transport: KubeTransport,
  entry: KindEntry,
  namespace: string,
  name: string,
): Promise<Result<KubeObject>> => {
  const path = objectPath(entry, namespace, name);
  const answer = await kubeAsk(transport, { method: "GET", path }, { plural: entry.plural, name });
  if (!answer.ok) return answer;
  const object = parseKubeObject(answer.value, entry);
  return object === undefined ? unreadable : { ok: true, value: object };
};

/** By merge patch: an apply would take back what an earlier command has set. */
const annotate = async (
  transport: KubeTransport,
  entry: KindEntry,
  { metadata }: KubeObject,
  values: Annotations,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Result<void>> => {
  const { uid, resourceVersion, namespace, name } = metadata;
  const answer = await kubeAsk(
    transport,
    {
      method: "PATCH",
      path: objectPath(entry, namespace, name) + queryOf({ fieldManager, ...(dryRun && { dryRun: "All" }) }),
      headers: { Accept: "application/json", "Content-Type": "application/merge-patch+json" },
      body: JSON.stringify({ metadata: { uid, resourceVersion, annotations: values } }),
    },
    { plural: entry.plural, name },
  );
  return answer.ok ? { ok: true, value: undefined } : answer;
};

/** https://kubernetes.io/docs/reference/access-authn-authz/authentication/#self-subject-review */
const whoAmI = async (transport: KubeTransport): Promise<Result<string>> => {
  const answer = await kubeAsk(
    transport,
    {
      method: "POST",
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
      body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
    },
    { plural: "selfsubjectreviews" },
  );
  if (!answer.ok) return answer;
  const { status } = answer.value;
  const user = isJsonObject(status) ? status["userInfo"] : undefined;
  const name = isJsonObject(user) ? user["username"] : undefined;
  return typeof name === "string" ? { ok: true, value: name } : unreadable;
};

const systemNamespace: KindEntry = {
  kind: "Namespace",
  group: "",
  version: "v1",
  plural: "namespaces",
  namespaced: false,
  statusSubresource: false,
};

/** Opens no connection. Throws when the kubeconfig cannot be read or names no cluster. */
export const openKubeOperator = async (source: KubeSource): Promise<KubeOperator> => {
  const transport = await openKubeTransport(source);
  return {
    namespace: (await contextNamespace(source)) ?? "default",
    whoAmI: () => whoAmI(transport),
    clusterUid: async () => {
      const read = await get(transport, systemNamespace, "", "kube-system");
      return read.ok ? { ok: true, value: read.value.metadata.uid } : read;
    },
    get: (entry, namespace, name) => get(transport, entry, namespace, name),
    annotate: (entry, object, values, how) => annotate(transport, entry, object, values, how),
  };
};
