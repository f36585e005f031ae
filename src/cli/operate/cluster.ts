import { type KubeOperator, openKubeOperator } from "../../adapters/kubeOperator.ts";
import type { KubeSource } from "../../adapters/kubeTransport.ts";
import { parseJson } from "../../core/parseJson.ts";
import { UserError } from "../userError.ts";
import type { Env } from "./settings.ts";

/** Where the caller's own access to a management cluster comes from, as for kubectl. */
export interface KubeOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EACCES: "not allowed to read it",
  EISDIR: "it is a folder",
};

const reasonOf = (error: unknown, context: string | undefined): string => {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code !== undefined) return reasons[code] ?? code;
  return context === undefined ? "it is none" : `it is none, or has no context "${context}"`;
};

const fileOf = (kubeconfig: string | undefined): string =>
  kubeconfig ?? (process.env["KUBECONFIG"] ? `${process.env["KUBECONFIG"]} (of KUBECONFIG)` : "~/.kube/config");

/** Opens something with the caller's kubeconfig. Fails with a `UserError` when there is none to use; its content is not told. */
export const withKubeconfig = async <T>(
  { kubeconfig, context }: KubeOptions,
  open: (source: KubeSource) => Promise<T>,
): Promise<T> => {
  const chosen = context === undefined ? {} : { context };
  try {
    return await open(
      kubeconfig === undefined ? { kind: "default", ...chosen } : { kind: "file", path: kubeconfig, ...chosen },
    );
  } catch (error) {
    throw new UserError(
      `the kubeconfig ${fileOf(kubeconfig)} cannot be used: ${reasonOf(error, context)}; --kubeconfig names another`,
    );
  }
};

/** What a person does to objects, with the caller's kubeconfig. */
export const openCluster = (options: KubeOptions): Promise<KubeOperator> => withKubeconfig(options, openKubeOperator);

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
