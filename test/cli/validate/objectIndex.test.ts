import { describe, expect, it } from "vitest";
import { checkObjects, readObjects } from "../../../src/cli/validate/checkSources.ts";
import { unfilled } from "../../../src/cli/validate/fillTemplate.ts";
import { objectsOf } from "../../../src/cli/validate/foundObject.ts";
import { objectIndex } from "../../../src/cli/validate/objectIndex.ts";
import { readDocuments } from "../../../src/cli/validate/readDocuments.ts";
import { azureCluster } from "./validating.ts";

const ofAzure = "{ kind: AzureCluster, name: a }";
const text = [
  "{ apiVersion: v1, kind: A, metadata: { name: x }, data: first }",
  "{ apiVersion: v1, kind: A, metadata: { name: x }, data: second }",
  "{ apiVersion: v2, kind: A, metadata: { name: z } }",
  "{ apiVersion: v1, kind: A, metadata: { name: x, namespace: other } }",
  `{ apiVersion: v1, kind: Machine, metadata: { name: no }, spec: { infrastructureRef: ${ofAzure} } }`,
  `{ apiVersion: v1, kind: Cluster, metadata: { name: far, namespace: other }, spec: { infrastructureRef: ${ofAzure} } }`,
  `{ apiVersion: v1, kind: Cluster, metadata: { name: near }, spec: { infrastructureRef: ${ofAzure} } }`,
  `{ apiVersion: v1, kind: Cluster, metadata: { name: late }, spec: { controlPlaneRef: ${ofAzure} } }`,
  "{ apiVersion: v1, kind: MachinePool, metadata: { name: p }, spec: { template: { spec: { infrastructureRef: { kind: P, name: p } } } } }",
].join("\n---\n");
const { documents } = readDocuments(text, unfilled(text));
const index = objectIndex(documents.flatMap((document) => objectsOf("-", document).objects));
const namespace = "default";

describe("the index of objects", () => {
  it("finds the first of a name, in its namespace only", () => {
    expect(index.named({ kind: "A", namespace, name: "x" })?.body["data"]).toBe("first");
    expect(index.named({ kind: "A", namespace: "other", name: "z" })).toBeUndefined();
    expect(index.named({ kind: "B", namespace, name: "x" })).toBeUndefined();
  });

  it("finds all of a type, and all names of a kind", () => {
    expect(index.allOf({ apiVersion: "v1", kind: "A" }, namespace).map(({ body }) => body["data"])).toEqual([
      "first",
      "second",
    ]);
    expect(index.allOf({ apiVersion: "v3", kind: "A" }, namespace)).toEqual([]);
    expect(index.namesOf("A", namespace)).toEqual(["x", "x", "z"]);
  });

  it("finds the first Cluster or MachinePool of the namespace that names an object", () => {
    expect(index.namerOf({ kind: "AzureCluster", namespace, name: "a" })?.name).toBe("near");
    expect(index.namerOf({ kind: "AzureCluster", namespace: "other", name: "a" })?.name).toBe("far");
    expect(index.namerOf({ kind: "P", namespace, name: "p" })?.kind).toBe("MachinePool");
    expect(index.namerOf({ kind: "P", namespace, name: "q" })).toBeUndefined();
  });

  it("is all that is asked: twice the objects are twice the looks at objects", () => {
    const looks = (count: number): number => {
      let sum = 0;
      const counted = <T extends object>(target: T): T =>
        new Proxy(target, {
          get: (at, field): unknown => {
            sum += 1;
            return Reflect.get(at, field);
          },
        });
      const manifest = Array.from({ length: count }, (_, number) => azureCluster().replace("demo", `demo${number}`));
      const { objects } = readObjects([{ name: "-", text: manifest.join("---\n") }], undefined);
      const { problems, ours } = checkObjects({ objects: objects.map(counted), problems: [] }, []);
      expect({ problems: problems.length, ours: ours.length }).toEqual({ problems: 0, ours: count });
      return sum;
    };
    expect(looks(40)).toBe(2 * looks(20));
  });
});
