import { existsSync } from "node:fs";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type KubeObject, parseObjects, withLabels } from "./kubeObject.ts";
import { runCommand } from "./runCommand.ts";
import type { ToolModule, ToolName } from "./tools.ts";

/** What one Cluster API manager needs in the API server. */
export interface ManagerManifests {
  readonly crds: readonly KubeObject[];
  /** Names of the definitions whose versions the manager's webhook converts. */
  readonly converted: readonly string[];
  /** Mutating and validating webhook configurations, still pointing to a service. */
  readonly webhooks: readonly KubeObject[];
}

/** The manifests of all managers, and the definitions in which clusterctl keeps its inventory. */
export interface ClusterApiManifests {
  readonly managers: Readonly<Record<string, ManagerManifests>>;
  readonly inventory: readonly KubeObject[];
}

const sources = {
  "capi-core": { path: "core", provider: "cluster-api" },
  "capi-kubeadm-bootstrap": { path: "bootstrap/kubeadm", provider: "bootstrap-kubeadm" },
  "capi-kubeadm-control-plane": { path: "controlplane/kubeadm", provider: "control-plane-kubeadm" },
} as const satisfies Partial<Record<ToolName, { path: string; provider: string }>>;

/** The managers, named as their programs are. */
export type ManagerName = keyof typeof sources;
export const managerNames = Object.keys(sources) as readonly ManagerName[];

/** The label value by which Cluster API and clusterctl know the provider that a manager belongs to. */
export const providerOf = (manager: ManagerName): string => sources[manager].provider;

/** How a definition says which contract versions its own versions serve, and that clusterctl installed it: https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview */
const labels = (manager: ManagerName): Readonly<Record<string, string>> => ({
  "cluster.x-k8s.io/provider": providerOf(manager),
  "cluster.x-k8s.io/v1beta1": "v1beta1",
  "cluster.x-k8s.io/v1beta2": "v1beta2",
  "clusterctl.cluster.x-k8s.io": "",
});

const readObjects = async (path: string): Promise<readonly KubeObject[]> =>
  parseObjects(await readFile(path, "utf8"), path);

const readFolder = async (folder: string, wanted: RegExp): Promise<readonly KubeObject[]> => {
  const files = (await readdir(folder)).filter((file) => wanted.test(file)).toSorted();
  return (await Promise.all(files.map((file) => readObjects(join(folder, file))))).flat();
};

const readManager = async (manager: ManagerName, source: string): Promise<ManagerManifests> => {
  const config = join(source, sources[manager].path, "config");
  const patches = await readFolder(join(config, "crd", "patches"), /^webhook_in_.*\.yaml$/);
  const crds = await readFolder(join(config, "crd", "bases"), /\.yaml$/);
  return {
    crds: crds.map((crd) => withLabels(crd, labels(manager))),
    converted: patches.map((patch) => patch.metadata.name),
    webhooks: (await readObjects(join(config, "webhook", "manifests.yaml"))).map((webhook) => ({
      ...webhook,
      metadata: { name: `${manager}-${webhook.metadata.name}`, labels: labels(manager) },
    })),
  };
};

const path = (cacheFolder: string): string => join(cacheFolder, "manifests.json");

/**
 * Copies the manifests out of the Go module of Cluster API into the cache folder, as one JSON file, so that later starts
 * need neither Go nor a YAML parser. Does nothing when they are there.
 */
export const writeManifests = async (module: ToolModule, folder: string, env: NodeJS.ProcessEnv): Promise<void> => {
  if (existsSync(path(folder))) return;
  const args = ["mod", "download", "-json", "sigs.k8s.io/cluster-api"];
  const { Dir: source } = JSON.parse(await runCommand("go", args, { cwd: module.folder, env })) as { Dir: string };
  const managers = await Promise.all(
    managerNames.map(async (name) => [name, await readManager(name, source)] as const),
  );
  const manifests: ClusterApiManifests = {
    managers: Object.fromEntries(managers),
    inventory: await readFolder(join(source, "cmd", "clusterctl", "config", "crd", "bases"), /_providers\.yaml$/),
  };
  const partial = `${path(folder)}.${process.pid}.partial`;
  await writeFile(partial, JSON.stringify(manifests));
  await rename(partial, path(folder));
};

/** The manifests of a cache folder into which the managers were built. */
export const readManifests = async (folder: string): Promise<ClusterApiManifests> =>
  JSON.parse(await readFile(path(folder), "utf8")) as ClusterApiManifests;

/** Lets the API server convert through a webhook on this machine instead of a service: `url` is `https://127.0.0.1:<port>`. */
export const withConversion = (crd: KubeObject, url: string, caBundle: string): KubeObject => ({
  ...crd,
  spec: {
    ...(crd["spec"] as object),
    conversion: {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: `${url}/convert`, caBundle } },
    },
  },
});

interface Webhook {
  readonly clientConfig: { readonly service: { readonly path: string } };
}

/** The same for a mutating or validating webhook configuration. */
export const withWebhookUrl = (configuration: KubeObject, url: string, caBundle: string): KubeObject => ({
  ...configuration,
  webhooks: (configuration["webhooks"] as readonly Webhook[]).map((webhook) => ({
    ...webhook,
    clientConfig: { url: `${url}${webhook.clientConfig.service.path}`, caBundle },
  })),
});
