import { kubeOver } from "../../adapters/kube.ts";
import { contextNamespace, openKubeTransport } from "../../adapters/kubeTransport.ts";
import type { Kube } from "../../ports.ts";
import { type KubeOptions, withKubeconfig } from "../operate/cluster.ts";

/** A management cluster that is only read, with the caller's own rights. */
export interface OpenedReader {
  readonly kube: Pick<Kube, "get" | "secret" | "list">;
  /** Of the kubeconfig's context. */
  readonly namespace: string;
}

/** Fails with a `UserError` when there is no kubeconfig to use. */
export const openReader = (options: KubeOptions): Promise<OpenedReader> =>
  withKubeconfig(options, async (source) => ({
    kube: kubeOver(await openKubeTransport(source)),
    namespace: (await contextNamespace(source)) ?? "default",
  }));
