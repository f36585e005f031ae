import { plan } from "../../../src/cli/plan/plan.ts";
import type { PlanOptions } from "../../../src/cli/plan/planOptions.ts";
import { UserError } from "../../../src/cli/userError.ts";

/** What `capstan plan` said and returned. */
export interface Answered {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Calls `capstan plan -f -` with these texts as its input. */
export const asked = async (
  input: string,
  options: Omit<PlanOptions, "filename"> = {},
  env: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<Answered> => {
  const [out, err]: [string[], string[]] = [[], []];
  const answered = (status: number): Answered => ({ status, out: out.join("\n"), err: err.join("\n") });
  try {
    const status = await plan(
      args,
      { ...options, filename: ["-"] },
      {
        env,
        stdin: () => Promise.resolve(input),
        print: (line) => out.push(line),
        note: (line) => err.push(line),
        decorated: false,
      },
    );
    return answered(status);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    err.push(`error: ${error.message}`);
    return answered(error.status);
  }
};

export const subscription = "00000000-0000-4000-8000-000000000001";

/** A Cluster and its AzureCluster; the lines stand in its spec. */
export const aManifest = (...lines: readonly string[]): string =>
  [
    "apiVersion: cluster.x-k8s.io/v1beta2",
    "kind: Cluster",
    "metadata: { name: demo }",
    "spec: { infrastructureRef: { apiGroup: infrastructure.cluster.x-k8s.io, kind: AzureCluster, name: demo } }",
    "---",
    anAzureCluster(...lines),
  ].join("\n");

export const anAzureCluster = (...lines: readonly string[]): string =>
  [
    "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1",
    "kind: AzureCluster",
    "metadata: { name: demo }",
    "spec:",
    "  location: westeurope",
    `  subscriptionID: ${subscription}`,
    "  identityRef: { apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: AzureClusterIdentity, name: sp }",
    ...lines.map((line) => `  ${line}`),
    "",
  ].join("\n");
