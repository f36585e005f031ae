import { describe, expect, it } from "vitest";
import { parseAzureManagedControlPlane } from "../../../src/api/aks/azureManagedControlPlane.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { checkControlPlane } from "../../../src/kinds/aks/checkControlPlane.ts";
import { checkLastSystemPool, type PoolState } from "../../../src/kinds/aks/checkLastSystemPool.ts";
import type { ControlPlaneFacts } from "../../../src/kinds/aksDefaults.ts";
import { anObject } from "../aCluster.ts";

const key = (algorithm: string): string => {
  const length = String.fromCharCode(0, 0, 0, algorithm.length);
  return Buffer.from(`${algorithm} ${btoa(`${length}${algorithm}rest`)} somebody@example.org\n`).toString("base64");
};

const messages = (spec: JsonObject, facts: Partial<ControlPlaneFacts> = {}): readonly string[] => {
  const parsed = parseAzureManagedControlPlane(
    anObject("AzureManagedControlPlane", {
      spec: { identityRef: { name: "i" }, location: "eastus", version: "v1.34.1", ...spec },
    }),
  );
  if (!parsed.ok) throw new Error(parsed.error.map(({ message }) => message).join("\n"));
  return checkControlPlane({ name: "aks", clusterName: "demo", ...facts }, parsed.value).map(({ message }) => message);
};
const services = (...cidrBlocks: readonly string[]): Partial<ControlPlaneFacts> => ({
  clusterNetwork: { services: { cidrBlocks } },
});

// Fact sheet 4.2.
describe("a control plane", () => {
  it("may belong to a Cluster that says nothing", () => expect(messages({})).toEqual([]));

  it("has one range of services and of pods at most", () =>
    expect(
      messages({}, { clusterNetwork: { services: { cidrBlocks: ["a", "b"] }, pods: { cidrBlocks: ["c", "d"] } } }),
    ).toEqual([
      'Cluster.spec.clusterNetwork.services.cidrBlocks: ["a","b"] must belong to a Cluster with one range of services at most: AKS takes no more',
      'Cluster.spec.clusterNetwork.pods.cidrBlocks: ["c","d"] must belong to a Cluster with one range of pods at most: AKS takes no more',
    ]));

  it.each([
    { when: "inside", facts: services("192.168.0.0/16"), says: [] },
    {
      when: "outside",
      facts: services("10.96.0.0/12"),
      says: [
        'spec.dnsServiceIP: "192.168.0.10" must lie inside the range of services of the Cluster, which must have one (it is 10.96.0.0/12)',
      ],
    },
    {
      when: "outside what is no range",
      facts: services("nonsense"),
      says: [
        'spec.dnsServiceIP: "192.168.0.10" must lie inside the range of services of the Cluster, which must have one (it is nonsense)',
      ],
    },
    {
      when: "without a range of services",
      facts: {},
      says: [
        'spec.dnsServiceIP: "192.168.0.10" must lie inside the range of services of the Cluster, which must have one (it has none)',
      ],
    },
  ])("has its DNS service $when", ({ facts, says }) =>
    expect(messages({ dnsServiceIP: "192.168.0.10" }, facts)).toEqual(says),
  );

  const member = { managerName: "fleet", managerResourceGroup: "group" };
  it.each([
    { clusterName: "demo-1", fleetsMember: member, count: 0 },
    { clusterName: "demo.1", fleetsMember: member, count: 1 },
    { clusterName: "demo.1", fleetsMember: { ...member, name: "demo-1" }, count: 0 },
    { clusterName: "", fleetsMember: member, count: 0 },
  ])("is a member of a fleet under a name that serves: $clusterName, $fleetsMember.name", (row) =>
    expect(messages({ fleetsMember: row.fleetsMember }, { clusterName: row.clusterName })).toHaveLength(row.count),
  );

  it.each(["ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp256"])("may have a key of %s", (algorithm) =>
    expect(messages({ sshPublicKey: key(algorithm) })).toEqual([]),
  );
  it.each([Buffer.from("ssh-rsa AAAA").toString("base64"), "bm90IGEga2V5"])("tells of a key that is none: %s", (text) =>
    expect(messages({ sshPublicKey: text })).toEqual([
      'spec.sshPublicKey: "***" must be the line of a public key, as in authorized_keys, in base64',
    ]),
  );
});

// Fact sheet 4.4.
describe("the last System pool", () => {
  const pool = (name: string, changes: Partial<PoolState> = {}): PoolState => ({
    name,
    mode: "System",
    deleting: false,
    ...changes,
  });
  const around = { wasSystem: true, clusterDeleting: false, deleteForMove: false };
  const deleting = pool("a", { deleting: true });
  const user = pool("a", { mode: "User" });

  it.each([
    { when: "is deleted", one: deleting, pools: [deleting] },
    { when: "is deleted beside a User pool", one: deleting, pools: [deleting, pool("b", { mode: "User" })] },
    { when: "becomes a User pool", one: user, pools: [user] },
    { when: "is deleted with another", one: deleting, pools: [deleting, pool("b", { deleting: true })] },
  ])("stays when it $when", ({ one, pools }) =>
    expect(checkLastSystemPool(one, { ...around, pools })).toMatchObject([
      { rule: { field: one.deleting ? "metadata.deletionTimestamp" : "spec.mode" } },
    ]),
  );

  it.each([
    { when: "there is another", one: deleting, more: { pools: [deleting, pool("b")] } },
    { when: "there is another, and it becomes a User pool", one: user, more: { pools: [user, pool("b")] } },
    { when: "the Cluster is deleted", one: deleting, more: { pools: [deleting], clusterDeleting: true } },
    { when: "it moves to another management cluster", one: deleting, more: { pools: [deleting], deleteForMove: true } },
    { when: "it never was one", one: user, more: { pools: [user], wasSystem: false } },
    { when: "nothing happens to it", one: pool("a"), more: { pools: [pool("a")] } },
  ])("may go when $when", ({ one, more }) => expect(checkLastSystemPool(one, { ...around, ...more })).toEqual([]));
});
