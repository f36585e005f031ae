import { type KubeOperator, openKubeOperator } from "../../adapters/kubeOperator.ts";
import { parseJson } from "../../core/parseJson.ts";
import { UserError } from "../userError.ts";
import type { Env } from "./settings.ts";

/** Where the caller's own access to a management cluster comes from, as for kubectl. */
export interface KubeOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Fails with a `UserError` when there is no kubeconfig to use. Its content is not told. */
export const openCluster = async ({ kubeconfig, context }: KubeOptions): Promise<KubeOperator> => {
  const chosen = context === undefined ? {} : { context };
  try {
    return await openKubeOperator(
      kubeconfig === undefined ? { kind: "default", ...chosen } : { kind: "file", path: kubeconfig, ...chosen },
    );
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "it is none, or lacks that context";
    throw new UserError(`the kubeconfig${kubeconfig === undefined ? "" : ` ${kubeconfig}`} cannot be used: ${code}`);
  }
};

/** uids in the settings of the function app; their form is the app's to judge. */
const settingUids = (env: Env): readonly string[] => {
  const clusters = parseJson(env["CAPSTAN_CLUSTERS"] ?? "");
  return Array.isArray(clusters)
    ? clusters.flatMap((one: unknown) =>
        typeof one === "object" && one !== null && "uid" in one && typeof one.uid === "string" ? [one.uid] : [],
      )
    : [];
};

export interface ClusterOptions extends KubeOptions {
  /** uid of the management cluster. */
  readonly cluster?: string;
}

/** Which management cluster is meant: the one that is named, else the only one of the settings, else that of the kubeconfig. */
export const clusterUidOf = async (options: ClusterOptions, env: Env): Promise<string> => {
  if (options.cluster !== undefined) return options.cluster;
  const uids = settingUids(env);
  const asked = options.kubeconfig !== undefined || options.context !== undefined;
  if (uids.length === 1 && !asked) return uids[0]!;
  const kube = await openCluster(options);
  const uid = await kube.clusterUid();
  if (uid.ok) return uid.value;
  throw new UserError(
    `the uid of the management cluster cannot be read (${uid.error.message}); --cluster names it, as does CAPSTAN_CLUSTERS with one cluster`,
  );
};
