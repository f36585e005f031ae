import { stringify } from "yaml";
import { crd } from "../api/definition/crd.ts";
import { policyObjects } from "../api/definition/policy.ts";
import { roles } from "../api/definition/roles.ts";
import { policies } from "../api/policies/index.ts";
import { infrastructureKinds } from "../api/registry.ts";
import type { JsonObject } from "../core/types.ts";

/** A file with objects for the management cluster. */
export interface ClusterFile {
  /** Folder and name, such as `crds/azureclusters.infrastructure.cluster.x-k8s.io.yaml`. */
  readonly name: string;
  /** One or more YAML documents, separated by `---`. */
  readonly text: string;
}

/** The folders of the files, in the order in which they are applied. */
export const clusterFolders = ["crds", "roles", "policies"] as const;

/** The separator of YAML documents. */
export const separator = "---\n";

const file = (folder: (typeof clusterFolders)[number], name: string, objects: readonly JsonObject[]): ClusterFile => ({
  name: `${folder}/${name}.yaml`,
  text: objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join(separator),
});

/** Everything of Capstan's kinds that a management cluster holds: definitions, roles for Cluster API, policies. */
export const clusterFiles = (): readonly ClusterFile[] => [
  ...infrastructureKinds.map(crd).map((definition) => file("crds", definition.metadata.name, [definition])),
  ...roles.map(({ name, objects }) => file("roles", name, objects)),
  ...policies.map((policy) => file("policies", policy.name, policyObjects(policy))),
];
