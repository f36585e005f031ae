import { describe, expect, it } from "vitest";
import { crd } from "../../../src/api/definition/crd.ts";
import { infrastructureKinds } from "../../../src/api/registry.ts";
import type { JsonObject } from "../../../src/core/types.ts";

interface Node {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly additionalProperties?: Node;
}

/** Paths of the fields that say nothing of themselves; items and values of maps are told with their field. */
const undescribed = (node: Node, path: string): readonly string[] => [
  ...Object.entries(node.properties ?? {}).flatMap(([name, field]) => [
    ...(field.description === undefined ? [`${path}.${name}`] : []),
    ...undescribed(field, `${path}.${name}`),
  ]),
  ...(node.items === undefined ? [] : undescribed(node.items, `${path}[]`)),
  ...(node.additionalProperties === undefined ? [] : undescribed(node.additionalProperties, `${path}{}`)),
];

/** What the API server describes itself. */
const described = (path: string): boolean => path === ".metadata";

describe.each(infrastructureKinds)("the definition of $kind", (entry) => {
  it("describes every field", () => {
    const [version] = crd(entry).spec["versions"] as readonly JsonObject[];
    // The one cast: a structural schema, as the code has just made it.
    const { openAPIV3Schema } = version!["schema"] as unknown as { readonly openAPIV3Schema: Node };
    expect(undescribed(openAPIV3Schema, "").filter((path) => !described(path))).toEqual([]);
  });
});
