import type { Scene } from "./scene.ts";

/** How often the API server was really asked to apply something to an AzureCluster or its status, changed or not. */
export const applies = async ({ stack }: Pick<Scene, "stack">): Promise<number> =>
  (await stack.kubectl(["get", "--raw", "/metrics"]))
    .split("\n")
    .filter(
      (line) =>
        line.startsWith("apiserver_request_total{") && /dry_run="".*resource="azureclusters".*verb="APPLY"/.test(line),
    )
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
