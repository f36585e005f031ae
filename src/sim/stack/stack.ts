import type { ArmSimulatorOptions } from "../arm/options.ts";
import type { ControlPlane } from "../controlPlane/controlPlane.ts";
import type { FunctionsHost } from "../functionsHost/functionsHost.ts";
import type { QueueCounts } from "../serviceBus/queue/queue.ts";
import type { Tables } from "../tables/azurite.ts";
import type { ArmAdmin } from "./armAdmin.ts";
import type { Part } from "./part.ts";
import type { Listening, Watching } from "./programs.ts";

/** Fixed ports on 127.0.0.1. What is left out takes a free one. */
export interface StackPorts {
  readonly apiServer?: number;
  readonly tables?: number;
  readonly serviceBus?: number;
  readonly azure?: number;
  readonly functions?: number;
}

export interface StackOptions {
  /** Folder for data, credentials and logs; it is kept. Azure itself is not: its simulator begins empty. Default: a temporary folder that is removed at the end. */
  readonly dir?: string;
  readonly ports?: StackPorts;
  /** Options of the Azure simulator: latency, subscriptions, quotas, faults. */
  readonly azure?: Omit<ArmSimulatorOptions, "validate">;
  /** File that gets one JSON line for each request to Azure, appended. */
  readonly requestsFile?: string;
  /** Folder of the function app and its entry. Default: the sources of this repository. */
  readonly app?: { readonly folder: string; readonly main?: string };
  /** Processes of the function app, all on one queue and the same tables. Default 1. */
  readonly functions?: number;
  /** False: timer functions run only by hand. Default true. */
  readonly timers?: boolean;
  /** False: no watcher; messages come only from timers and by hand. Default true. */
  readonly watcher?: boolean;
  /** Laid over the app settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: nobody listens. */
  readonly progress?: (line: string) => void;
  /** Where the Kubernetes tools are looked for, and `AZURE_SUBSCRIPTION_ID` is read. Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** Capstan with everything around it, running on this machine. */
export interface Stack {
  /** Kubernetes with Cluster API: kubectl, kubeconfig, stopping and starting the API server. */
  readonly controlPlane: ControlPlane;
  /** uid of the management cluster, as messages name it. */
  readonly cluster: string;
  readonly functions: Part<FunctionsHost>;
  /** The processes of the function app beside the first. */
  readonly moreFunctions: readonly Part<FunctionsHost>[];
  /** Absent when the stack was started without. */
  readonly watcher: Part<Watching> | undefined;
  readonly broker: Part<Listening>;
  readonly tables: Part<Tables>;
  readonly azureSimulator: Part<Listening>;
  readonly azure: ArmAdmin;
  /** Folder with one log file for each program. */
  readonly logs: string;
  /** App settings of the functions; connection strings included. */
  readonly settings: Readonly<Record<string, string>>;
  /** Runs kubectl against the cluster and returns its output. Fails with what it wrote to standard error. */
  kubectl(args: readonly string[], stdin?: string): Promise<string>;
  queueCounts(queue: "reconcile" | "reconcile-failed"): Promise<QueueCounts>;
  /** Calls the replay function with the master key; a body without a reason gets one. */
  replay(body: object): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Ends everything, last started first. Safe to call twice. */
  stop(): Promise<void>;
}
