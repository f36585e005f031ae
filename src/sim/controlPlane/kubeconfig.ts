import { stringify } from "yaml";

export interface KubeconfigOptions {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  /** The user whose rights count; the token's own user must be allowed to impersonate it. Default: the token's own. */
  readonly as?: string;
}

const name = "capstan-local";

/** A kubeconfig with one cluster, one user and one context, as YAML. */
export const kubeconfig = ({ url, caPem, token, as }: KubeconfigOptions): string =>
  stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server: url, "certificate-authority-data": Buffer.from(caPem).toString("base64") } }],
    users: [{ name, user: { token, ...(as !== undefined && { as }) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  });
