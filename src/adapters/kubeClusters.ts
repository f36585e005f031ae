import type { Result } from "../core/types.ts";
import type { Clusters, Kube } from "../ports.ts";
import { kubeOver } from "./kube.ts";
import { type KubeSource, type KubeTransport, openKubeTransport } from "./kubeTransport.ts";

/** A management cluster that this installation serves. */
export interface RegisteredCluster {
  /** uid of its `kube-system` namespace. */
  readonly uid: string;
  readonly source: KubeSource;
}

const unknown = (cluster: string): Result<never> => ({
  ok: false,
  error: {
    kind: "badConfiguration",
    code: "UnknownCluster",
    message: `management cluster ${cluster} is not registered in the settings`,
  },
});

/** The text of the error may quote the file; only its code is told. */
const unreadable = (cluster: string, error: unknown): Result<never> => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "its content is not a kubeconfig";
  return {
    ok: false,
    error: {
      kind: "auth",
      code: "KubeconfigUnreadable",
      message: `the kubeconfig of management cluster ${cluster} cannot be used: ${code}`,
    },
  };
};

/** Connects only to registered clusters; a kubeconfig is read when first needed, and again after it could not be used. */
export const kubeClusters = (
  registered: readonly RegisteredCluster[],
  open: (source: KubeSource) => Promise<KubeTransport> = openKubeTransport,
): Clusters => {
  const sources = new Map(registered.map(({ uid, source }) => [uid, source]));
  const opened = new Map<string, Promise<Kube>>();
  return {
    connect: async (cluster) => {
      const source = sources.get(cluster);
      if (source === undefined) return unknown(cluster);
      const kube = opened.get(cluster) ?? open(source).then(kubeOver);
      opened.set(cluster, kube);
      try {
        return { ok: true, value: await kube };
      } catch (error) {
        opened.delete(cluster);
        return unreadable(cluster, error);
      }
    },
  };
};
