import { stringify } from "yaml";
import { crd } from "../api/crd.ts";
import { infrastructureKinds } from "../api/registry.ts";

/** A file with one definition. */
export interface CrdFile {
  readonly name: string;
  readonly text: string;
}

/** All definitions as YAML, one file each, named as Kubernetes names the definition. */
export const crdFiles = (): readonly CrdFile[] =>
  infrastructureKinds.map((entry) => {
    const definition = crd(entry);
    return {
      name: `${definition.metadata.name}.yaml`,
      text: stringify(definition, { lineWidth: 0, aliasDuplicateObjects: false }),
    };
  });
