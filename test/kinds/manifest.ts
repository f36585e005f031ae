import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { sharedDir } from "../support/shared.ts";
import { anObject, scopeIn, type TurnInput, zonesOf } from "./aCluster.ts";

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Partial<KubeObject["metadata"]>;
  readonly spec?: JsonObject;
  readonly status?: JsonObject;
}

export const recordingDir = (recording: string): string => join(sharedDir, "contract", "recordings", recording);

/** Objects of a file of YAML documents, as an API server would return them. */
export const readObjects = (text: string): readonly KubeObject[] =>
  parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((document) => document !== null)
    .map(({ apiVersion, kind, metadata, spec, status }) =>
      anObject(kind, { ...metadata, apiVersion, ...(spec && { spec }), ...(status && { status }) }),
    );

export const readRecording = (recording: string, file: "manifest.yaml" | "status.yaml"): readonly KubeObject[] =>
  readObjects(readFileSync(join(recordingDir(recording), file), "utf8"));

/** Published templates with their variables filled in as `clusterctl` does. */
export const readTemplate = (file: string): readonly KubeObject[] => {
  const values: Readonly<Record<string, string>> = {
    CLUSTER_NAME: "demo",
    AZURE_LOCATION: "eastus",
    AZURE_SUBSCRIPTION_ID: "00000000-0000-4000-8000-000000000001",
    CLUSTER_IDENTITY_NAME: "sp",
    APISERVER_LB_DNS_SUFFIX: "x7",
  };
  const filled = (text: string): string =>
    text
      .replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? "1")
      .replace(/\$\{(\w+):?[=-]([^${}]*)\}/g, (_, name: string, fallback: string) => values[name] ?? fallback);
  return readObjects(filled(filled(readFileSync(join(sharedDir, "contract", "templates", file), "utf8"))));
};

/** The turn's view of an AzureCluster among other objects; an owner is added where a template has none yet. */
export const inputAmong = (objects: readonly KubeObject[], cluster: KubeObject): TurnInput => {
  const [name] = [cluster.metadata.ownerReferences[0]?.name ?? cluster.metadata.name];
  const object: KubeObject = {
    ...cluster,
    metadata: {
      ...cluster.metadata,
      ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: "u" }],
    },
  };
  const found = azureCluster
    .dependencies(object)
    .map(
      ({ role, key }) => [role, objects.find((it) => it.kind === key.kind && it.metadata.name === key.name)] as const,
    );
  return { object, dependencies: Object.fromEntries(found), facts: [zonesOf("eastus", "1", "2", "3")], settings: {} };
};

/** Ids and bodies that a turn wants for an AzureCluster. */
export const desiredOf = (input: TurnInput) => {
  const scope = scopeIn(input);
  if (!scope.ok) throw new Error(scope.error.map(({ message }) => message).join("\n"));
  return azureCluster.services.flatMap((service) =>
    service.desired(scope.value).map((desired) => ({ service: service.name, type: service.type, ...desired })),
  );
};
