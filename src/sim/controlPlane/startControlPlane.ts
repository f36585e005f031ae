import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ApiClient, apiClient } from "./apiClient.ts";
import { managerNames } from "./clusterApiManifests.ts";
import type { ControlPlane, ControlPlaneOptions, ControlPlaneParts } from "./controlPlane.ts";
import { credentialsIn } from "./credentials.ts";
import { findTools } from "./findTools.ts";
import { freePorts, isFree } from "./freePorts.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { type Processes, startProcesses } from "./processes.ts";
import { apiServerArgs, controllerManagerArgs, etcdArgs } from "./programs.ts";
import { runCommand } from "./runCommand.ts";
import { startClusterApi } from "./startClusterApi.ts";
import type { ToolName } from "./tools.ts";
import { type Awaited, until } from "./until.ts";

const etcdTimeoutMs = 30_000;
const apiServerTimeoutMs = 120_000;
const etcdGraceMs = 5_000;
const controllerManagerTimeoutMs = 60_000;

const toolsFor = (options: ControlPlaneOptions) =>
  [
    "etcd",
    "kube-apiserver",
    "kubectl",
    ...(options.controllerManager === false ? [] : (["kube-controller-manager"] as const)),
    ...(options.clusterApi === true ? managerNames : []),
  ] as const;

/** What is decided before the first program runs. */
interface Setting {
  readonly dir: string;
  readonly tools: Readonly<Partial<Record<ToolName, string>>>;
  readonly parts: ControlPlaneParts;
  readonly url: string;
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
  readonly ports: { readonly apiServer: number; readonly etcd: number; readonly etcdPeer: number };
}

const lastPort = async (dir: string): Promise<number | undefined> => {
  const text = await readFile(join(dir, "port"), "utf8").catch(() => undefined);
  return text === undefined ? undefined : Number(text);
};

const settle = async (
  dir: string,
  tools: Setting["tools"],
  processes: Processes,
  options: ControlPlaneOptions,
): Promise<Setting> => {
  const credentials = await credentialsIn(join(dir, "pki"));
  const [anyPort, etcd, etcdPeer] = (await freePorts(3)) as [number, number, number];
  const apiServer = options.apiServerPort ?? (await lastPort(dir)) ?? anyPort;
  // The API server itself takes a minute to say so.
  if (!(await isFree(apiServer))) throw new Error(`port ${apiServer} on 127.0.0.1 is in use`);
  const url = `https://127.0.0.1:${apiServer}`;
  const text = kubeconfig({ url, caPem: credentials.caPem, token: credentials.token });
  const kubeconfigPath = join(dir, "kubeconfig");
  await mkdir(join(dir, "logs"), { recursive: true });
  await writeFile(join(dir, "port"), String(apiServer));
  await writeFile(kubeconfigPath, text, { mode: 0o600 });
  const parts = {
    processes,
    credentials,
    env: options.env ?? process.env,
    progress: options.progress ?? (() => undefined),
    logFile: (name: string) => join(dir, "logs", `${name}.log`),
  };
  return { dir, tools, parts, url, kubeconfig: text, kubeconfigPath, ports: { apiServer, etcd, etcdPeer } };
};

const start = async (setting: Setting, name: ToolName, args: readonly string[], graceMs = 0): Promise<Awaited> => {
  const { processes, env, logFile } = setting.parts;
  // Nothing of the caller's environment but what a program needs to run: no proxy, no foreign cluster, no secret.
  const childEnv = { PATH: env["PATH"], HOME: setting.dir };
  await processes.start({
    name,
    command: setting.tools[name]!,
    args,
    env: childEnv,
    logFile: logFile(name),
    graceMs,
  });
  return { name, logFile: logFile(name), processes };
};

const startEtcd = async (setting: Setting): Promise<void> => {
  const { etcd, etcdPeer } = setting.ports;
  const child = await start(setting, "etcd", etcdArgs(join(setting.dir, "etcd"), etcd, etcdPeer), etcdGraceMs);
  await until(child, etcdTimeoutMs, async () => (await fetch(`http://127.0.0.1:${etcd}/health`)).ok);
};

const startApiServer = async (setting: Setting, api: ApiClient): Promise<void> => {
  const { apiServer: port, etcd: etcdPort } = setting.ports;
  const child = await start(
    setting,
    "kube-apiserver",
    apiServerArgs({ port, etcdPort, files: setting.parts.credentials.files }),
  );
  await until(child, apiServerTimeoutMs, async () => (await api.send({ path: "/readyz" })).status === 200);
};

const startControllerManager = async (setting: Setting, api: ApiClient): Promise<void> => {
  const args = controllerManagerArgs(setting.kubeconfigPath, setting.parts.credentials.files);
  const child = await start(setting, "kube-controller-manager", args);
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  await until(child, controllerManagerTimeoutMs, async () => (await api.send({ path })).status === 200);
};

const controlPlaneOf = (setting: Setting, api: ApiClient): ControlPlane => ({
  kubeconfigPath: setting.kubeconfigPath,
  kubeconfig: setting.kubeconfig,
  url: setting.url,
  caPem: setting.parts.credentials.caPem,
  token: setting.parts.credentials.token,
  dir: setting.dir,
  kubectlPath: setting.tools.kubectl!,
  api,
  parts: setting.parts,
  kubectl: (args, stdin) =>
    runCommand(setting.tools.kubectl!, args, {
      env: {
        ...setting.parts.env,
        KUBECONFIG: setting.kubeconfigPath,
        KUBECACHEDIR: join(setting.dir, "kubectl-cache"),
      },
      ...(stdin === undefined ? {} : { stdin }),
    }),
  stopApiServer: () => setting.parts.processes.stop("kube-apiserver"),
  startApiServer: () => startApiServer(setting, api),
  stop: async () => {
    api.close();
    await setting.parts.processes.end();
  },
});

/**
 * Starts etcd, the API server and, as asked, the controller manager and the Cluster API managers on 127.0.0.1, and waits
 * until they answer. Everything ends with `stop` or with this process, however that ends. Fails, with nothing left
 * running, when a program is missing or does not come up; the message has the end of its log.
 */
export const startControlPlane = async (options: ControlPlaneOptions = {}): Promise<ControlPlane> => {
  const progress = options.progress ?? (() => undefined);
  const tools = await findTools(toolsFor(options), { env: options.env ?? process.env, progress });
  const dir = options.dir === undefined ? await mkdtemp(join(tmpdir(), "capstan-")) : resolve(options.dir);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const processes = startProcesses({
    logFile: join(dir, "supervisor.log"),
    removeAtEnd: options.dir === undefined ? dir : undefined,
  });
  try {
    const setting = await settle(dir, tools, processes, options);
    const api = apiClient(setting.url, setting.parts.credentials.caPem, setting.parts.credentials.token);
    const controlPlane = controlPlaneOf(setting, api);
    progress("starting etcd and the API server");
    await startEtcd(setting);
    await startApiServer(setting, api);
    if (options.controllerManager !== false) await startControllerManager(setting, api);
    if (options.clusterApi === true) await startClusterApi(controlPlane);
    progress(`API server ready at ${setting.url}`);
    return controlPlane;
  } catch (error) {
    await processes.end();
    throw error;
  }
};
