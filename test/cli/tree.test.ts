import { describe, expect, it } from "vitest";
import { renderChanges, renderTree } from "../../src/cli/renderTree.ts";
import { type Shown, treeRows } from "../../src/cli/treeRows.ts";
import { anObject, conditions, shown } from "./aTree.ts";

const reconciled: ReadonlySet<string> = new Set(["AzureCluster"]);
const cluster = anObject("Cluster", "demo", {
  group: "cluster.x-k8s.io",
  status: conditions({ Available: ["False", "NotAvailable"], InfrastructureReady: "True", Paused: "False" }),
});
const deployment = anObject("MachineDeployment", "demo-md-0", { group: "cluster.x-k8s.io", owner: cluster });
const machine = anObject("Machine", "demo-md-0-x", {
  group: "cluster.x-k8s.io",
  owner: deployment,
  status: conditions({ Ready: "Unknown" }),
});
const objects: readonly Shown[] = [
  shown(anObject("AzureMachine", "demo-md-0-x", { owner: machine }), "2030-01-01T00:01:00Z"),
  shown(
    anObject("AzureCluster", "demo", {
      owner: cluster,
      status: conditions({
        Ready: ["False", "Creating"],
        ResourceGroupReady: "True",
        SubnetsReady: ["False", "Creating"],
      }),
    }),
  ),
  shown(machine, "2029-12-30T00:00:00Z"),
  shown(deployment, "2029-12-31T21:00:00Z"),
  shown(cluster),
  shown(anObject("AzureClusterIdentity", "demo-identity")),
  shown(anObject("AzureMachineTemplate", "demo-md-0", { owner: cluster })),
];
const nowMs = Date.parse("2030-01-01T00:01:30Z");

describe("the tree", () => {
  it("shows owners above what they own", () =>
    expect(renderTree(treeRows(objects, reconciled), nowMs, 100)).toEqual([
      "OBJECT                                      READY              REASON        STEPS  AGE",
      "AzureClusterIdentity default/demo-identity  -                                       90s",
      "Cluster default/demo                        False              NotAvailable  1/2    90s",
      "├─AzureCluster default/demo                 False              Creating      1/2    90s",
      "├─AzureMachineTemplate default/demo-md-0    -                                       90s",
      "└─MachineDeployment default/demo-md-0       Unknown                                 3h",
      "  └─Machine default/demo-md-0-x             Unknown                                 2d",
      "    └─AzureMachine default/demo-md-0-x      not in this build                       30s",
    ]));

  it("is cut at the width of the terminal", () =>
    expect(renderTree(treeRows(objects, reconciled), nowMs, 30)[1]).toBe("AzureClusterIdentity default/…"));

  it("never calls a kind ready that this build does not reconcile", () => {
    const machines = [shown(anObject("AzureMachine", "m", { status: conditions({ Ready: "True" }) }))];
    expect(treeRows(machines, reconciled)[0]?.ready).toBe("not in this build");
  });

  it("has every object once, whoever owns whom", () => {
    const lost = { ...anObject("Machine", "lost", { owner: anObject("MachineSet", "gone") }) };
    const rows = treeRows([...objects, shown(lost)], reconciled);
    expect(rows.map(({ object }) => object).toSorted()).toEqual(
      [...objects, shown(lost)].map(({ object: { kind, metadata } }) => `${kind} default/${metadata.name}`).toSorted(),
    );
  });
});

describe("the changes", () => {
  const before = treeRows(objects, reconciled);
  it("are none when nothing changed", () => expect(renderChanges(before, treeRows(objects, reconciled))).toEqual([]));
  it("are a line for each object that is new, different or gone", () => {
    const ready = shown(
      anObject("AzureCluster", "demo", { owner: cluster, status: conditions({ Ready: "True", SubnetsReady: "True" }) }),
    );
    const after = treeRows([shown(cluster), ready, shown(anObject("Machine", "new"))], reconciled);
    expect(
      renderChanges(
        before.filter(({ object }) => /Cluster default|Template/.test(object)),
        after,
      ),
    ).toEqual([
      "AzureCluster default/demo  True  1/1",
      "Machine default/new  not in this build",
      "AzureMachineTemplate default/demo-md-0  gone",
    ]);
  });
});
