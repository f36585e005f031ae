import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fillVariables } from "../../src/cli/fillVariables.ts";
import { type ManifestObject, parseManifest } from "../../src/cli/manifest.ts";
import { sharedDir } from "./shared.ts";

/** One of upstream's templates, filled as `clusterctl generate cluster` does. */
export interface ContractTemplate {
  /** Name of the file without its ending. */
  readonly name: string;
  readonly objects: readonly ManifestObject[];
}

/** The class and the cluster that uses it are two templates that mean the same objects. */
const clusterNameOf = (template: string): string =>
  template.replace("cluster-template", "capi").replace(/-(clusterclass|topology)$/, "-class");

const fill = (name: string, text: string): string => {
  const clusterName = clusterNameOf(name);
  const filled = fillVariables(text, {
    CLUSTER_NAME: clusterName,
    CLUSTER_CLASS_NAME: clusterName,
    CLUSTER_IDENTITY_NAME: `${clusterName}-identity`,
    APISERVER_LB_DNS_SUFFIX: "a1b2c3",
    AZURE_LOCATION: "westeurope",
    AZURE_SUBSCRIPTION_ID: "00000000-0000-4000-8000-000000000001",
    AZURE_TENANT_ID: "00000000-0000-4000-8000-0000000007e4",
    AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: "00000000-0000-4000-8000-00000000c11e",
    AZURE_CONTROL_PLANE_MACHINE_TYPE: "Standard_D2s_v3",
    AZURE_NODE_MACHINE_TYPE: "Standard_D2s_v3",
    AZURE_SSH_PUBLIC_KEY: "ssh-rsa AAAA nobody",
    KUBERNETES_VERSION: "v1.35.1",
  });
  if (!filled.ok) throw new Error(`${name}: ${filled.error}`);
  return filled.value;
};

/** All of them, in the order of their names. Needs the shared folder. */
export const contractTemplates = (): readonly ContractTemplate[] => {
  const folder = join(sharedDir, "contract", "templates");
  return readdirSync(folder)
    .toSorted()
    .map((file) => {
      const name = file.replace(/\.yaml$/, "");
      return { name, objects: parseManifest(fill(name, readFileSync(join(folder, file), "utf8")), file) };
    });
};
