import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "../../../src/sim/controlPlane/controlPlane.ts";
import { installCrds } from "../../../src/sim/controlPlane/installCrds.ts";
import { kubeconfig } from "../../../src/sim/controlPlane/kubeconfig.ts";
import { startControlPlane } from "../../../src/sim/controlPlane/startControlPlane.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/wire/json.ts";

/** Cluster API's kinds that Capstan reads, without their schemas. */
const foreignCrd = (kind: string, plural: string): string => `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.cluster.x-k8s.io }
spec:
  group: cluster.x-k8s.io
  names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  scope: Namespaced
  versions:
    - name: v1beta2
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

const kinds = {
  clusters: { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster" },
  azureclusters: { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "AzureCluster" },
  azuremachines: { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "AzureMachine" },
} as const;
export type Plural = keyof typeof kinds;

/** A real API server with the kinds of the contract, and what a user does to it. */
export interface ManagementCluster {
  readonly controlPlane: ControlPlane;
  /** uid of `kube-system`, as the API server tells it. */
  uid(): Promise<string>;
  create(plural: Plural, name: string, body: JsonObject): Promise<JsonObject>;
  /** A merge patch. */
  patch(plural: Plural, name: string, body: JsonObject, subresource?: "status"): Promise<JsonObject>;
  remove(plural: Plural, name: string): Promise<void>;
  installForeignKind(kind: string, plural: string): Promise<void>;
  /** A kubeconfig file of a service account of `capstan-system`, with what a manifest grants it. */
  kubeconfigOf(serviceAccount: string, manifest: string): Promise<string>;
  stop(): Promise<void>;
}

const path = (plural: Plural, name = ""): string =>
  `/apis/${kinds[plural].apiVersion}/namespaces/default/${plural}${name === "" ? "" : `/${name}`}`;

export const startManagementCluster = async (crdFolder: string): Promise<ManagementCluster> => {
  const folder = await mkdtemp(join(tmpdir(), "capstan-watcher-"));
  const controlPlane = await startControlPlane({ controllerManager: false });
  const send = async (call: Parameters<ControlPlane["api"]["send"]>[0]): Promise<JsonObject> => {
    const { status, body } = await controlPlane.api.send(call);
    if (status > 299) throw new Error(`${call.method} ${call.path}: ${status} ${body}`);
    const answer = JSON.parse(body) as Json;
    return isJsonObject(answer) ? answer : {};
  };
  const files = (await readdir(crdFolder))
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => join(crdFolder, file));
  await installCrds(controlPlane, files);
  return {
    controlPlane,
    uid: async () => {
      const { metadata } = await send({ path: "/api/v1/namespaces/kube-system" });
      return isJsonObject(metadata) && typeof metadata["uid"] === "string" ? metadata["uid"] : "";
    },
    create: (plural, name, body) => {
      const { metadata, ...rest } = body;
      const object = { ...kinds[plural], metadata: { name, ...(isJsonObject(metadata) && metadata) }, ...rest };
      return send({
        method: "POST",
        path: path(plural),
        contentType: "application/json",
        body: JSON.stringify(object),
      });
    },
    patch: (plural, name, body, subresource) =>
      send({
        method: "PATCH",
        path: path(plural, name) + (subresource === undefined ? "" : `/${subresource}`),
        contentType: "application/merge-patch+json",
        body: JSON.stringify(body),
      }),
    remove: async (plural, name) => {
      await send({ method: "DELETE", path: path(plural, name) });
    },
    installForeignKind: async (kind, plural) => {
      const file = join(folder, `${plural}.yaml`);
      await writeFile(file, foreignCrd(kind, plural));
      await installCrds(controlPlane, [file]);
    },
    kubeconfigOf: async (serviceAccount, manifest) => {
      const namespace = "capstan-system";
      await controlPlane.kubectl(["create", "namespace", namespace]);
      await controlPlane.kubectl(["apply", "-f", manifest]);
      const token = await controlPlane.kubectl(["create", "token", serviceAccount, "-n", namespace]);
      const file = join(folder, `${serviceAccount}.kubeconfig`);
      const { url, caPem } = controlPlane;
      await writeFile(file, kubeconfig({ url, caPem, token: token.trim() }), { mode: 0o600 });
      return file;
    },
    stop: async () => {
      await controlPlane.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
