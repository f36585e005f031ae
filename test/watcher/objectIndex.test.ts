import { describe, expect, it } from "vitest";
import { labels } from "../../src/core/annotations.ts";
import { type Projection, project } from "../../src/core/projection.ts";
import { keyText, objectIndex } from "../../src/watcher/objectIndex.ts";
import { object, ownedBy } from "./support/objects.ts";

const inCluster = (name: string) => ({ metadata: { labels: { [labels.clusterName]: name } } });
const machine = project(
  object("AzureMachine", "m", { metadata: { ...ownedBy("Machine", "m"), ...inCluster("demo").metadata } }),
);
const cluster = project(
  object("Cluster", "demo", { spec: { infrastructureRef: { kind: "AzureCluster", name: "demo" } } }),
);
const azureCluster = project(
  object("AzureCluster", "demo", { spec: { identityRef: { kind: "AzureClusterIdentity", name: "who" } } }),
);
const identity = project(object("AzureClusterIdentity", "who"));
const indexOf = (...all: readonly Projection[]) => {
  const index = objectIndex();
  for (const one of all) index.put(one);
  return index;
};
const texts = (all: readonly Projection[]): readonly string[] => all.map(keyText).toSorted();

describe("the index of objects", () => {
  it("finds what one object leads to from another", () => {
    const index = indexOf(machine, cluster, azureCluster, identity, project(object("Machine", "other")));
    expect(texts(index.knownTo(machine, keyText(machine)))).toEqual(texts([machine, cluster, azureCluster, identity]));
  });
  it("knows the readers of what is there and of what is missing", () => {
    const index = indexOf(machine, cluster, azureCluster);
    index.knownTo(machine, keyText(machine));
    for (const read of [cluster, azureCluster, identity]) expect(index.readersOf(read)).toEqual(["AzureMachine/ns/m"]);
    expect(index.readersOf(machine)).toEqual([]);
  });
  it("forgets readers that are gone or read something else", () => {
    const index = indexOf(machine, cluster, azureCluster);
    index.knownTo(machine, keyText(machine));
    index.put({ ...cluster, references: {} });
    index.knownTo(machine, keyText(machine));
    expect(index.readersOf(azureCluster)).toEqual([]);
    index.delete(machine);
    expect(index.readersOf(cluster)).toEqual([]);
    expect(index.get("AzureMachine/ns/m")).toBeUndefined();
  });
  it("finds members by owner and by cluster, and no others", () => {
    const pool = project(object("AzureMachinePool", "p"));
    const member = (name: string, owner: string): Projection =>
      project(object("AzureMachinePoolMachine", name, { metadata: ownedBy("AzureMachinePool", owner) }));
    const controlPlane = project(object("AzureManagedControlPlane", "c", inCluster("demo")));
    const managed = (name: string, of: string): Projection =>
      project(object("AzureManagedMachinePool", name, inCluster(of)));
    const index = indexOf(
      pool,
      member("a", "p"),
      member("b", "other"),
      controlPlane,
      managed("x", "demo"),
      managed("y", "other"),
    );
    expect(texts(index.knownTo(pool, keyText(pool)))).toEqual(texts([pool, member("a", "p")]));
    expect(texts(index.knownTo(controlPlane, keyText(controlPlane)))).toEqual(
      texts([controlPlane, managed("x", "demo")]),
    );
    expect(index.readersOf(managed("new", "demo"))).toEqual(["AzureManagedControlPlane/ns/c"]);
  });
});
