import { join } from "node:path";

/** Receives one line about a slow step, without a line break. */
export type Progress = (line: string) => void;

/** The programs of the local management cluster. The three Cluster API managers are named after what they manage. */
export type ToolName =
  | "etcd"
  | "kube-apiserver"
  | "kubectl"
  | "kube-controller-manager"
  | "capi-core"
  | "capi-kubeadm-bootstrap"
  | "capi-kubeadm-control-plane"
  | "clusterctl";

/** A folder with a `go.mod` that pins tools by version and checksum; it holds no Go code. */
export interface ToolModule {
  readonly name: "kubernetes" | "clusterapi";
  readonly folder: string;
  /** Linker settings. A server without a version is refused by Cluster API, and plain `go build` sets none. */
  readonly ldflags: string;
  /** Tool to the Go package that holds its `main`. */
  readonly packages: Partial<Readonly<Record<ToolName, string>>>;
}

const kubernetesVersion = { gitVersion: "v1.36.3", gitMajor: "1", gitMinor: "36" };
const clusterApiVersion = { gitVersion: "v1.14.2", gitMajor: "1", gitMinor: "14" };

/** The version of Cluster API that the managers report and that the clusterctl inventory names. */
export const clusterApiRelease = clusterApiVersion.gitVersion;

const local = join(import.meta.dirname, "..", "..", "..", "infra", "local");
const linking = (variables: string, version: Readonly<Record<string, string>>): string =>
  ["-s -w", ...Object.entries(version).map(([name, value]) => `-X ${variables}.${name}=${value}`)].join(" ");

/** All tools that can be built, by module. */
export const toolModules: readonly ToolModule[] = [
  {
    name: "kubernetes",
    folder: join(local, "kubernetes"),
    ldflags: linking("k8s.io/component-base/version", kubernetesVersion),
    packages: {
      etcd: "go.etcd.io/etcd/server/v3",
      "kube-apiserver": "k8s.io/kubernetes/cmd/kube-apiserver",
      kubectl: "k8s.io/kubernetes/cmd/kubectl",
      "kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
    },
  },
  {
    name: "clusterapi",
    folder: join(local, "clusterapi"),
    ldflags: linking("sigs.k8s.io/cluster-api/version", clusterApiVersion),
    packages: {
      "capi-core": "sigs.k8s.io/cluster-api/core",
      "capi-kubeadm-bootstrap": "sigs.k8s.io/cluster-api/bootstrap/kubeadm",
      "capi-kubeadm-control-plane": "sigs.k8s.io/cluster-api/controlplane/kubeadm",
      clusterctl: "sigs.k8s.io/cluster-api/cmd/clusterctl",
    },
  },
];

/** The module that builds a tool. Every tool has one. */
export const moduleOf = (tool: ToolName): ToolModule => toolModules.find((module) => tool in module.packages)!;
