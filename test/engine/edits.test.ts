import { describe, expect, it } from "vitest";
import { azureClusterSpec } from "../../src/api/cluster/azureCluster.ts";
import { patched } from "../support/admission/admissionServer.ts";
import { key } from "../support/defaultCluster.ts";
import { conditionsOf } from "../support/world.ts";
import { apiServerEdits } from "./edits/apiServerEdits.ts";
import { clusterEdits } from "./edits/clusterEdits.ts";
import { network } from "./edits/editCase.ts";
import { refusalsOf, standingCluster, writesAfter, writesOfAnotherLook } from "./edits/editedWorld.ts";
import { fixedEdits } from "./edits/fixedEdits.ts";
import { outboundEdits } from "./edits/outboundEdits.ts";
import { refusedEdits } from "./edits/refusedEdits.ts";
import { securityRuleEdits } from "./edits/securityRuleEdits.ts";
import { subnetEdits } from "./edits/subnetEdits.ts";
import { vnetEdits } from "./edits/vnetEdits.ts";

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
}

/** Every leaf of a schema: `a.b`, of lists `a[].b`, of maps `a{}`. */
const leavesOf = ({ properties, items, patternProperties }: SchemaNode, path = ""): readonly string[] => {
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, child]) =>
      leavesOf(child, path === "" ? name : `${path}.${name}`),
    );
  if (items !== undefined) return leavesOf(items, `${path}[]`);
  const [values] = Object.values(patternProperties ?? {});
  return values === undefined ? [path] : leavesOf(values, `${path}{}`);
};

const leaves = leavesOf(azureClusterSpec as SchemaNode);
const listed = [
  clusterEdits,
  vnetEdits,
  subnetEdits,
  securityRuleEdits,
  apiServerEdits,
  outboundEdits,
  refusedEdits,
  fixedEdits,
]
  .flat()
  .flatMap(({ fields }) => fields);
const names = (leaf: string) => (field: string) =>
  field.endsWith("…") ? leaf.startsWith(field.slice(0, -1)) : field === leaf;

describe("the edits of an AzureCluster", () => {
  it("are listed for every field of its spec", () =>
    expect(leaves.filter((leaf) => !listed.some(names(leaf)))).toEqual([]));
  it("name only fields that there are", () =>
    expect(listed.filter((field) => !leaves.some((leaf) => names(leaf)(field)))).toEqual([]));
});

describe("edits that the API server refuses", () => {
  it.each(refusedEdits.map((one) => [one.title, one] as const))("%s", async (_, { from, edit, field, says }) => {
    const refusals = refusalsOf(await standingCluster(from), edit);
    expect(refusals.map(({ path, message }) => `${path}: ${message}`)).toContainEqual(
      expect.stringMatching(new RegExp(`^spec\\.${field.replaceAll(/[[\]]/g, "\\$&")}: .*${says}`)),
    );
  });
});

describe("edits of what only Azure knows to be fixed", () => {
  it.each(fixedEdits.map((one) => [one.title, one] as const))(
    "%s: shows both values, and everything else goes on",
    async (_, { from, edit, condition, says }) => {
      const world = await standingCluster(from);
      expect(refusalsOf(world, edit)).toEqual([]);
      const port = patched(edit, network({ additionalAPIServerLBPorts: [{ name: "p", port: 99 }] }));
      expect(await writesAfter(world, port)).toEqual([
        expect.stringMatching(/^PUT loadBalancers\/c1-(public|internal)-lb: properties\.loadBalancingRules\[p\]$/),
      ]);
      const said = conditionsOf(world.objects.find(key))[condition];
      expect(said).toMatchObject({ status: "False", reason: "ImmutableDrift" });
      for (const word of says) expect(said?.message).toContain(word);
      expect(await writesOfAnotherLook(world)).toEqual({ azure: [], object: "unchanged" });
    },
  );
});
