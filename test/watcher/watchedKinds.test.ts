import { describe, expect, it } from "vitest";
import { kindEntry } from "../../src/api/registry.ts";
import { dependencyTable } from "../../src/core/dependencyTable.ts";
import { watchedKinds } from "../../src/watcher/watchedKinds.ts";

describe("the kinds to watch", () => {
  it("are the reconciled ones and what their turns read", () => {
    expect(watchedKinds(["AzureCluster"])).toEqual(["AzureCluster", "Cluster", "AzureClusterIdentity"]);
  });
  it("are all registered, and none of them is a Secret or a Namespace", () => {
    const all = watchedKinds(Object.keys(dependencyTable));
    expect(all).toEqual(expect.arrayContaining(["Cluster", "Machine", "MachinePool", "AzureClusterIdentity"]));
    for (const kind of all) expect(kindEntry(kind), kind).toBeDefined();
    expect(all.filter((kind) => kindEntry(kind)?.group === "")).toEqual([]);
  });
});
