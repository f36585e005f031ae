import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient } from "./apiClient.ts";
import type { ControlPlane } from "./controlPlane.ts";
import { type KubeObject, parseObjects, withLabels } from "./kubeObject.ts";

const collection = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const establishedTimeoutMs = 60_000;
const pollMs = 50;

interface WithConditions {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const established = async (api: ApiClient, name: string): Promise<boolean> => {
  const { status, body } = await api.send({ path: `${collection}/${name}` });
  if (status !== 200) return false;
  const crd = JSON.parse(body) as WithConditions;
  return crd.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") ?? false;
};

/** Applies definitions as they are and waits until the API server serves them. */
export const applyCrds = async (api: ApiClient, crds: readonly KubeObject[]): Promise<void> => {
  const deadline = Date.now() + establishedTimeoutMs;
  await Promise.all(
    crds.map(async (crd) => {
      await api.apply(collection, crd);
      while (!(await established(api, crd.metadata.name))) {
        if (Date.now() > deadline)
          throw new Error(`${crd.metadata.name} is not served after ${establishedTimeoutMs / 1000} s`);
        await sleep(pollMs);
      }
    }),
  );
};

/**
 * Installs the CustomResourceDefinitions of YAML files and waits until they are served. `labels` are added to each, for
 * example the contract versions that Cluster API looks for. Fails with the file or the definition that is wrong.
 */
export const installCrds = async (
  controlPlane: ControlPlane,
  files: readonly string[],
  labels: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const crds = await Promise.all(files.map(async (file) => parseObjects(await readFile(file, "utf8"), file)));
  await applyCrds(
    controlPlane.api,
    crds.flat().map((crd) => withLabels(crd, labels)),
  );
};
