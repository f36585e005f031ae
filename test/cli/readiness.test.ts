import { describe, expect, it } from "vitest";
import { type ReadinessInput, readiness } from "../../src/cli/readiness.ts";
import { type ChainRow, newRow } from "../../src/core/chain/chainRow.ts";
import { anObject, conditions } from "./aTree.ts";

const nowMs = 1_000_000;
const azureCluster = anObject("AzureCluster", "demo", { generation: 2, status: conditions({ Ready: "True" }) });
const cluster = (provisioned: boolean) =>
  anObject("Cluster", "demo", {
    group: "cluster.x-k8s.io",
    spec: { infrastructureRef: { kind: "AzureCluster", name: "demo" } },
    status: { initialization: { infrastructureProvisioned: provisioned } },
  });
const row = (more: Partial<ChainRow> = {}): ChainRow => ({
  ...newRow("i"),
  seen: { uid: azureCluster.metadata.uid, generation: 2, inputs: "x" },
  dueMs: nowMs + 3_600_000,
  ...more,
});
const input = (more: Partial<ReadinessInput> = {}): ReadinessInput => ({
  objects: [azureCluster, cluster(true)],
  wanted: ["AzureCluster default/demo"],
  reconciled: new Set(["AzureCluster"]),
  rows: new Map([[azureCluster.metadata.uid, row()]]),
  nowMs,
  ...more,
});
const withRow = (more: Partial<ChainRow>): ReadinessInput =>
  input({ rows: new Map([[azureCluster.metadata.uid, row(more)]]) });

describe("readiness", () => {
  it("is there when all is read, done and taken note of", () =>
    expect(readiness(input())).toEqual({ reasons: [], ready: 1, reconciled: 1, notInBuild: 0 }));

  it.each([
    { when: "there is nothing to reconcile", given: input({ objects: [], wanted: [] }), says: /^no object of a kind/ },
    {
      when: "an object is not there",
      given: input({ wanted: ["AzureCluster default/other"] }),
      says: "AzureCluster default/other: not there",
    },
    {
      when: "it is not ready",
      given: input({
        objects: [anObject("AzureCluster", "demo", { status: conditions({ Ready: ["False", "Creating"] }) })],
      }),
      says: "AzureCluster default/demo: Ready is False (Creating)",
    },
    {
      when: "it has no condition",
      given: input({ objects: [anObject("AzureCluster", "demo")] }),
      says: "AzureCluster default/demo: Ready is not set",
    },
    {
      when: "no turn has run",
      given: input({ rows: new Map() }),
      says: "AzureCluster default/demo: generation 2 was not yet read",
    },
    {
      when: "an older generation was read",
      given: withRow({ seen: { uid: azureCluster.metadata.uid, generation: 1, inputs: "x" } }),
      says: "AzureCluster default/demo: generation 2 was not yet read",
    },
    { when: "news came in", given: withRow({ dirty: true }), says: "AzureCluster default/demo: a turn is running" },
    {
      when: "a turn is running",
      given: withRow({ lease: { nonce: "n", endMs: nowMs + 1 } }),
      says: "AzureCluster default/demo: a turn is running",
    },
    {
      when: "a poll is due",
      given: withRow({ dueMs: nowMs + 5_000 }),
      says: "AzureCluster default/demo: something is left to do",
    },
    {
      when: "Cluster API has not seen it",
      given: input({ objects: [azureCluster, cluster(false)] }),
      says: "Cluster default/demo: Cluster API does not see its infrastructure yet",
    },
  ])("is not there when $when", ({ given, says }) => {
    const { reasons } = readiness(given);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(says);
  });

  it("counts kinds that are not in this build apart, also when they claim to be ready", () => {
    const machine = anObject("AzureMachine", "m", { status: conditions({ Ready: "True" }) });
    const others = [machine, anObject("AzureMachineTemplate", "t"), anObject("AzureClusterIdentity", "i")];
    expect(readiness(input({ objects: [azureCluster, cluster(true), ...others] }))).toEqual({
      reasons: [],
      ready: 1,
      reconciled: 1,
      notInBuild: 1,
    });
  });
});
