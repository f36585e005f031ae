import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { apiClient } from "./apiClient.ts";
import {
  type ManagerManifests,
  type ManagerName,
  managerNames,
  providerOf,
  readManifests,
  withConversion,
  withWebhookUrl,
} from "./clusterApiManifests.ts";
import type { ControlPlane } from "./controlPlane.ts";
import { findTools } from "./findTools.ts";
import { freePorts } from "./freePorts.ts";
import { applyCrds } from "./installCrds.ts";
import { kubeconfig } from "./kubeconfig.ts";
import type { KubeObject } from "./kubeObject.ts";
import { clusterApiArgs } from "./programs.ts";
import { cacheFolder } from "./toolCache.ts";
import { clusterApiRelease, moduleOf } from "./tools.ts";
import { until } from "./until.ts";

const managerTimeoutMs = 120_000;
const webhookTimeoutMs = 30_000;

/** The feature gates that change what reaches an infrastructure provider; a manager refuses gates it does not know. */
const featureGates: Readonly<Record<ManagerName, string>> = {
  "capi-core": "MachinePool=true,ClusterTopology=true",
  "capi-kubeadm-bootstrap": "MachinePool=true",
  "capi-kubeadm-control-plane": "MachinePool=true,ClusterTopology=true",
};

/** The namespaces that `clusterctl init` uses. */
const namespaces: Readonly<Record<ManagerName, string>> = {
  "capi-core": "capi-system",
  "capi-kubeadm-bootstrap": "capi-kubeadm-bootstrap-system",
  "capi-kubeadm-control-plane": "capi-kubeadm-control-plane-system",
};

const providerTypes: Readonly<Record<ManagerName, string>> = {
  "capi-core": "CoreProvider",
  "capi-kubeadm-bootstrap": "BootstrapProvider",
  "capi-kubeadm-control-plane": "ControlPlaneProvider",
};

/** As `clusterctl init` names it. */
export const serviceAccountOf = (manager: ManagerName): { readonly namespace: string; readonly name: string } => ({
  namespace: namespaces[manager],
  name: `${manager === "capi-core" ? "capi" : manager}-manager`,
});

export interface ClusterApiOptions {
  /**
   * Whose rights the managers have: the cluster's administrator's, or those of their service accounts, for which the caller
   * has made roles and bindings before. Default: the administrator's.
   */
  readonly rights?: "administrator" | "serviceAccounts";
}

interface Manager {
  readonly name: ManagerName;
  readonly manifests: ManagerManifests;
  readonly port: number;
  readonly url: string;
}

const crdsOf = ({ manifests, url }: Manager, caBundle: string): readonly KubeObject[] =>
  manifests.crds.map((crd) =>
    manifests.converted.includes(crd.metadata.name) ? withConversion(crd, url, caBundle) : crd,
  );

const applyNamespace = ({ api }: ControlPlane, name: string): Promise<void> =>
  api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });

const kubeconfigOf = async (
  controlPlane: ControlPlane,
  manager: ManagerName,
  { rights = "administrator" }: ClusterApiOptions,
): Promise<string> => {
  if (rights === "administrator") return controlPlane.kubeconfigPath;
  const { namespace, name } = serviceAccountOf(manager);
  const path = join(controlPlane.dir, `${manager}.kubeconfig`);
  const text = kubeconfig({ ...controlPlane, as: `system:serviceaccount:${namespace}:${name}` });
  await writeFile(path, text, { mode: 0o600 });
  return path;
};

const run = async (
  controlPlane: ControlPlane,
  manager: Manager,
  command: string,
  options: ClusterApiOptions,
): Promise<void> => {
  const { processes, credentials, env, logFile } = controlPlane.parts;
  const { name, port, url } = manager;
  const kubeconfigPath = await kubeconfigOf(controlPlane, name, options);
  const pod = { POD_NAMESPACE: namespaces[name], POD_NAME: name, POD_UID: name };
  await processes.start({
    name,
    command,
    args: clusterApiArgs(port, credentials.files, featureGates[name]),
    env: { PATH: env["PATH"], HOME: controlPlane.dir, KUBECONFIG: kubeconfigPath, ...pod },
    logFile: logFile(name),
    graceMs: 0,
  });
  // Webhook servers ask for no token, and any answer over TLS says that they listen.
  const client = apiClient(url, credentials.caPem, "");
  const answers = async (): Promise<boolean> => (await client.send({ path: "/" })).status > 0;
  await until({ name, logFile: logFile(name), processes }, managerTimeoutMs, answers).finally(() => client.close());
};

const applyWebhooks = async ({ api }: ControlPlane, { manifests, url }: Manager, caBundle: string): Promise<void> => {
  for (const webhook of manifests.webhooks) {
    const plural = `${webhook.kind.toLowerCase()}s`;
    await api.apply(`/apis/${webhook.apiVersion}/${plural}`, withWebhookUrl(webhook, url, caBundle));
  }
};

/** A Cluster that says nothing: the schema lets it pass, the webhook does not. */
const emptyCluster = JSON.stringify({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "empty" },
  spec: { paused: true },
});

/** The API server learns of new webhooks a little after they were applied; until then it lets everything pass. */
const untilInForce = async ({ api, parts }: ControlPlane): Promise<void> => {
  const path = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters?dryRun=All";
  const core = { name: "capi-core", logFile: parts.logFile("capi-core"), processes: parts.processes };
  await until(core, webhookTimeoutMs, async () => {
    const { status } = await api.send({ method: "POST", path, contentType: "application/json", body: emptyCluster });
    return status === 422 || status === 403;
  });
};

/** The inventory that `clusterctl` reads before it moves or upgrades anything. */
const applyInventory = ({ api }: ControlPlane, name: ManagerName): Promise<void> => {
  const namespace = namespaces[name];
  const provider = providerOf(name);
  return api.apply(`/apis/clusterctl.cluster.x-k8s.io/v1alpha3/namespaces/${namespace}/providers`, {
    apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
    kind: "Provider",
    metadata: {
      name: provider,
      namespace,
      labels: {
        "clusterctl.cluster.x-k8s.io": "",
        "clusterctl.cluster.x-k8s.io/core": "inventory",
        "cluster.x-k8s.io/provider": provider,
      },
    },
    providerName: provider.replace(/^(bootstrap|control-plane)-/, ""),
    type: providerTypes[name],
    version: clusterApiRelease,
  });
};

/**
 * Installs Cluster API's definitions and webhooks and starts its core, kubeadm bootstrap and kubeadm control plane
 * managers. Resolves when their webhooks are in force. Fails when a program is missing or
 * does not come up; the control plane itself then still runs.
 */
export const startClusterApi = async (controlPlane: ControlPlane, options: ClusterApiOptions = {}): Promise<void> => {
  const { env, progress, credentials } = controlPlane.parts;
  const programs = await findTools(managerNames, { env, progress });
  const { managers: manifests, inventory } = await readManifests(await cacheFolder(moduleOf("capi-core"), env));
  const ports = await freePorts(managerNames.length);
  const managers = managerNames.map((name, index): Manager => {
    const port = ports[index]!;
    return { name, manifests: manifests[name]!, port, url: `https://127.0.0.1:${port}` };
  });
  const caBundle = Buffer.from(credentials.caPem).toString("base64");
  progress("installing Cluster API's definitions");
  await Promise.all(Object.values(namespaces).map((name) => applyNamespace(controlPlane, name)));
  await applyCrds(controlPlane.api, [...inventory, ...managers.flatMap((manager) => crdsOf(manager, caBundle))]);
  progress("starting the Cluster API managers");
  await Promise.all(managers.map((manager) => run(controlPlane, manager, programs[manager.name], options)));
  await Promise.all(managers.map((manager) => applyWebhooks(controlPlane, manager, caBundle)));
  await untilInForce(controlPlane);
  await Promise.all(managerNames.map((name) => applyInventory(controlPlane, name)));
};
