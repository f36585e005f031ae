import type { ApiClient } from "./apiClient.ts";
import type { Credentials } from "./credentials.ts";
import type { Processes } from "./processes.ts";
import type { Progress } from "./tools.ts";

export interface ControlPlaneOptions {
  /** Folder for data, credentials and logs. It is kept, and a later start on it goes on with port, token and data. Default: a temporary folder that is removed at the end. */
  readonly dir?: string;
  /** Default: the port of the last start in `dir`, else any free port. */
  readonly apiServerPort?: number;
  /** Garbage collection, deletion of namespaces, service accounts. Default: true. */
  readonly controllerManager?: boolean;
  /** Cluster API core, kubeadm bootstrap and kubeadm control plane. Default: false. */
  readonly clusterApi?: boolean;
  /** Default: nobody listens. */
  readonly progress?: Progress;
  /** Where `findTools` looks. Default: the environment of this process. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A running management cluster on this machine. */
export interface ControlPlane {
  readonly kubeconfigPath: string;
  /** The same as YAML text; it contains the token. */
  readonly kubeconfig: string;
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  /** Certificate of the authority that signed the server's certificate. */
  readonly caPem: string;
  /** Bearer token of a user in `system:masters`. */
  readonly token: string;
  readonly dir: string;
  /** The pinned kubectl, for people who have none. */
  readonly kubectlPath: string;
  /** For what a client library would get in the way of. */
  readonly api: ApiClient;
  readonly parts: ControlPlaneParts;
  /** Runs the pinned kubectl against this cluster and returns its output. Fails with what it wrote to standard error. */
  kubectl(args: readonly string[], stdin?: string): Promise<string>;
  /** Ends the API server at once, as a crash would; etcd and the managers stay. */
  stopApiServer(): Promise<void>;
  /** Starts it again on the same port and data and waits until it is ready. */
  startApiServer(): Promise<void>;
  /** Ends everything. Safe to call twice. */
  stop(): Promise<void>;
}

/** What further programs of the same cluster are started with. */
export interface ControlPlaneParts {
  readonly processes: Processes;
  readonly credentials: Credentials;
  readonly env: NodeJS.ProcessEnv;
  readonly progress: Progress;
  /** The file that a program of this name logs to. */
  readonly logFile: (name: string) => string;
}
