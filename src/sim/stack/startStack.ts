import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlane } from "../controlPlane/controlPlane.ts";
import { startControlPlane } from "../controlPlane/startControlPlane.ts";
import { type FunctionsHost, startFunctionsHost } from "../functionsHost/functionsHost.ts";
import type { QueueCounts } from "../serviceBus/queue/queue.ts";
import { startTables, type Tables } from "../tables/azurite.ts";
import { armAdmin } from "./armAdmin.ts";
import { checkPorts } from "./checkPorts.ts";
import { installProvider } from "./installProvider.ts";
import { type Part, type Running, startPart } from "./part.ts";
import { partLog } from "./partLog.ts";
import { type Listening, launchArm, launchBroker, launchWatcher } from "./programs.ts";
import { appSettings, watcherSettings } from "./settings.ts";
import type { Stack, StackOptions } from "./stack.ts";

const repository = join(import.meta.dirname, "..", "..", "..");

/** What has been started, to be stopped the other way round. */
interface Started {
  add(one: Stoppable): void;
  stop(): Promise<void>;
}

interface Stoppable {
  hold?(): void;
  stop(): Promise<void>;
}

const startedParts = (): Started => {
  const all: Stoppable[] = [];
  let stopping: Promise<void> | undefined;
  return {
    add: (one) => all.push(one),
    stop: () => {
      stopping ??= (async () => {
        // Ctrl-C in a terminal reaches the programs too: what dies of it must not be brought back.
        for (const one of all) one.hold?.();
        for (const one of all.toReversed()) await one.stop();
      })();
      return stopping;
    },
  };
};

interface Setting {
  readonly options: StackOptions;
  readonly progress: (line: string) => void;
  readonly controlPlane: ControlPlane;
  readonly cluster: string;
  readonly started: Started;
}

const clusterUid = async ({ api }: ControlPlane): Promise<string> => {
  const { status, body } = await api.send({ path: "/api/v1/namespaces/kube-system" });
  if (status !== 200) throw new Error(`reading namespace kube-system: ${status} ${body}`);
  // The one cast: the API server's own form.
  return (JSON.parse(body) as { readonly metadata: { readonly uid: string } }).metadata.uid;
};

/** A program of the stack with its log file; what it first took as its port it keeps. */
const part = async <Program extends Running>(
  { controlPlane, progress, started }: Setting,
  name: string,
  launch: (log: (line: string) => void) => Promise<Program>,
): Promise<Part<Program>> => {
  const log = partLog(controlPlane.parts.logFile(name));
  const running = await startPart({ name, progress, launch: () => launch(log) });
  started.add(running);
  return running;
};

/** Calls `launch` with the port that it had before, if any. */
const onOnePort = <Program>(
  wanted: number | undefined,
  launch: (port: number, log: (line: string) => void) => Promise<Program>,
  portOf: (program: Program) => number,
): ((log: (line: string) => void) => Promise<Program>) => {
  let port = wanted ?? 0;
  return async (log) => {
    const program = await launch(port, log);
    port = portOf(program);
    return program;
  };
};

interface Services {
  readonly tables: Part<Tables>;
  readonly broker: Part<Listening>;
  readonly azureSimulator: Part<Listening>;
}

/** All of them at once; when one fails, only after the others have come up or failed, so that none is forgotten. */
const together = async <A, B, C>(a: Promise<A>, b: Promise<B>, c: Promise<C>): Promise<[A, B, C]> => {
  await Promise.allSettled([a, b, c]);
  return Promise.all([a, b, c]);
};

const startServices = async (setting: Setting): Promise<Services> => {
  const { options, controlPlane, progress } = setting;
  const { ports = {}, azure = {}, requestsFile } = options;
  const { dir } = controlPlane;
  progress("starting the table service, the Service Bus broker and the simulated Azure");
  const launchTables = onOnePort(
    ports.tables,
    (port, log) => startTables({ persistTo: join(dir, "tables"), port, log }),
    ({ url }) => Number(new URL(url).port),
  );
  const launchServiceBus = onOnePort(
    ports.serviceBus,
    (port, log) => launchBroker({ port, log, journal: join(dir, "service-bus") }),
    ({ port }) => port,
  );
  const launchAzure = onOnePort(
    ports.azure,
    (port, log) => launchArm({ port, log, dir, options: azure, requestsFile }),
    ({ port }) => port,
  );
  const [tables, broker, azureSimulator] = await together(
    part(setting, "tables", launchTables),
    part(setting, "service-bus", launchServiceBus),
    part(setting, "azure", launchAzure),
  );
  return { tables, broker, azureSimulator };
};

const startFunctions = (
  setting: Setting,
  settings: Readonly<Record<string, string>>,
  name: string,
  wanted: number | undefined,
): Promise<Part<FunctionsHost>> => {
  const { options } = setting;
  const { folder, main } = options.app ?? { folder: repository, main: "functions/main.ts" };
  const launch = (port: number, log: (line: string) => void): Promise<FunctionsHost> =>
    startFunctionsHost({
      app: folder,
      settings,
      keysFile: join(setting.controlPlane.dir, "function-keys.json"),
      port,
      log,
      ...(main !== undefined && { main }),
      ...(options.timers !== undefined && { timers: options.timers }),
    });
  return part(
    setting,
    name,
    onOnePort(wanted, launch, ({ port }) => port),
  );
};

/** One after the other: on a small machine they would only hold each other up. */
const startAllFunctions = async (
  setting: Setting,
  settings: Readonly<Record<string, string>>,
): Promise<Pick<Stack, "functions" | "moreFunctions">> => {
  const { functions: count = 1, ports } = setting.options;
  setting.progress("starting the function app");
  const functions = await startFunctions(setting, settings, "functions", ports?.functions);
  const moreFunctions: Part<FunctionsHost>[] = [];
  for (let number = 2; number <= count; number += 1)
    moreFunctions.push(await startFunctions(setting, settings, `functions-${number}`, undefined));
  return { functions, moreFunctions };
};

const queueCounts =
  (broker: Part<Listening>): Stack["queueCounts"] =>
  async (queue) => {
    const answer = await fetch(`http://127.0.0.1:${broker.current().port}/`);
    // The one cast: the page of our own broker.
    const page = (await answer.json()) as { readonly queues: Readonly<Record<string, QueueCounts>> };
    const counts = page.queues[queue];
    if (counts === undefined) throw new Error(`the broker has no queue ${queue}`);
    return counts;
  };

/** What a body that leaves it out says. */
const defaults = { reason: "asked for by whoever runs the stack" };

const replay =
  (functions: Part<FunctionsHost>): Stack["replay"] =>
  async (body) => {
    const host = functions.current();
    const answer = await host.fetch("/api/replay", {
      method: "POST",
      headers: { "x-functions-key": host.masterKey, "content-type": "application/json" },
      body: JSON.stringify({ ...defaults, ...body }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  };

const startRest = async (setting: Setting): Promise<Stack> => {
  const { options, progress, controlPlane, cluster, started } = setting;
  const services = await startServices(setting);
  const { tables, broker, azureSimulator } = services;
  const surroundings = {
    kubeconfigPath: controlPlane.kubeconfigPath,
    cluster,
    tablesConnectionString: tables.current().connectionString,
    serviceBusPort: broker.current().port,
    azurePort: azureSimulator.current().port,
  };
  const env = options.env ?? process.env;
  const settings = { ...appSettings(surroundings, env), ...options.settings };
  const apps = await startAllFunctions(setting, settings);
  if (options.watcher !== false) progress("starting the watcher");
  const watcher =
    options.watcher === false
      ? undefined
      : await part(setting, "watcher", (log) => launchWatcher({ settings: watcherSettings(surroundings, env), log }));
  return {
    controlPlane,
    cluster,
    ...apps,
    watcher,
    ...services,
    azure: armAdmin(() => `http://127.0.0.1:${azureSimulator.current().port}`),
    logs: join(controlPlane.dir, "logs"),
    settings,
    kubectl: (args, stdin) => controlPlane.kubectl(args, stdin),
    queueCounts: queueCounts(broker),
    replay: replay(apps.functions),
    stop: () => started.stop(),
  };
};

/**
 * Starts Capstan and everything around it on 127.0.0.1: Kubernetes with Cluster API and Capstan's definitions, tables,
 * broker, simulated Azure, function app and watcher, each as a process of its own. All but the Kubernetes side come back
 * when they die. All of it ends with `stop` or with this process, however that ends. Fails, with nothing left running, when a part does not come
 * up; the message has the last lines of its log.
 */
export const startStack = async (options: StackOptions = {}): Promise<Stack> => {
  const progress = options.progress ?? (() => undefined);
  await checkPorts(options.ports ?? {});
  const started = startedParts();
  try {
    const controlPlane = await startControlPlane({
      clusterApi: true,
      progress,
      ...(options.dir !== undefined && { dir: options.dir }),
      ...(options.ports?.apiServer !== undefined && { apiServerPort: options.ports.apiServer }),
      ...(options.env !== undefined && { env: options.env }),
    });
    started.add(controlPlane);
    await mkdir(join(controlPlane.dir, "logs"), { recursive: true });
    progress("installing Capstan's definitions");
    await installProvider(controlPlane);
    const cluster = await clusterUid(controlPlane);
    return await startRest({ options, progress, controlPlane, cluster, started });
  } catch (error) {
    await started.stop();
    throw error;
  }
};
