import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AzureMachineSpec } from "../../../src/api/machine/azureMachine.ts";
import type { AzureMachinePoolSpec } from "../../../src/api/machine/azureMachinePool.ts";
import { checkMachine, checkMachinePool } from "../../../src/kinds/machine/checkMachine.ts";
import { isPublicKey } from "../../../src/kinds/machine/publicKey.ts";

const base64 = (text: string): string => Buffer.from(text, "latin1").toString("base64");
/** A key of an algorithm, as it stands in a line of authorized_keys. */
const blob = (algorithm: string): string => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(algorithm.length);
  return Buffer.concat([length, Buffer.from(algorithm), Buffer.from([0, 0, 0, 1, 7])]).toString("base64");
};
const line = (algorithm: string): string => `${algorithm} ${blob(algorithm)}`;

describe("a public key", () => {
  it.each([
    { when: "of RSA", text: line("ssh-rsa"), is: true },
    { when: "of Ed25519, with a comment and a line break", text: `${line("ssh-ed25519")} me@home\n`, is: true },
    { when: "of a security key", text: line("sk-ssh-ed25519@openssh.com"), is: true },
    { when: "behind options and a remark", text: `# mine\nno-pty,from="10.0.0.1" ${line("ssh-rsa")}`, is: true },
    { when: "without its algorithm", text: blob("ssh-rsa"), is: false },
    { when: "of another algorithm than it says", text: `ssh-rsa ${blob("ssh-ed25519")}`, is: false },
    { when: "that is a private one", text: "-----BEGIN OPENSSH PRIVATE KEY-----\nabc", is: false },
    { when: "that is only remarked", text: `# ${line("ssh-rsa")}`, is: false },
    { when: "that is nothing", text: "", is: false },
  ])("$when: $is", ({ text, is }) => expect(isPublicKey(base64(text))).toBe(is));

  it("in its base64 only", () => expect(isPublicKey(line("ssh-rsa"))).toBe(false));
  it("is looked for in any text without a throw", () =>
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(isPublicKey(text)).toBe(false);
        expect(isPublicKey(base64(text))).toBe(false);
      }),
    ));
});

const subnets = [
  { name: "control-plane-subnet", role: "control-plane" },
  { name: "node-subnet", role: "node" },
];
const around = { name: "m1", role: "node", subnets } as const;
const spec: AzureMachineSpec = { vmSize: "Standard_D2s_v5", osDisk: { osType: "Linux" } };
const noImage = { about: "kubernetesVersion", value: "x", right: "must be a version, such as v1.31.2" } as const;

describe("a machine", () => {
  it.each<{
    readonly when: string;
    readonly around?: object;
    readonly spec?: Partial<AzureMachineSpec>;
    readonly says: readonly string[];
  }>([
    { when: "that is good", spec: { sshPublicKey: base64(line("ssh-rsa")) }, says: [] },
    { when: "with a wrong key", spec: { sshPublicKey: base64("secret") }, says: ["spec.sshPublicKey"] },
    {
      when: "of a role with two subnets",
      around: { subnets: [...subnets, { name: "other", role: "node" }] },
      says: ["spec.networkInterfaces[0].subnetName"],
    },
    {
      when: "of a role with two subnets that names one",
      around: { subnets: [...subnets, { name: "other", role: "node" }] },
      spec: { subnetName: "other" },
      says: [],
    },
    {
      when: "of a role without a subnet",
      around: { subnets: [{ name: "control-plane-subnet", role: "control-plane" }] },
      says: ["spec.networkInterfaces[0].subnetName"],
    },
    {
      when: "of a role without a subnet, where one is for all",
      around: { subnets: [{ name: "c", role: "cluster" }] },
      says: [],
    },
    { when: "for which no image follows", around: { noImage }, says: ["spec.image"] },
    { when: "with an image of its own", around: { noImage }, spec: { image: { id: "/x" } }, says: [] },
    { when: "with too long a name", around: { name: "m".repeat(65) }, says: ["metadata.name"] },
    {
      when: "of Windows, whose name is cut",
      around: { name: "m".repeat(65) },
      spec: { osDisk: { osType: "Windows" } },
      says: [],
    },
    {
      when: "with a disk whose name is too long",
      spec: {
        dataDisks: [
          { nameSuffix: "a", diskSizeGB: 4 },
          { nameSuffix: "b".repeat(78), diskSizeGB: 4 },
        ],
      },
      says: ["spec.dataDisks[1].nameSuffix"],
    },
  ])("$when", ({ around: more = {}, spec: changes = {}, says }) => {
    const problems = checkMachine({ ...around, ...more }, { ...spec, ...changes });
    expect(problems.map(({ message }) => message.split(": ")[0])).toEqual(says);
  });
  it("shows nothing of a wrong key", () =>
    expect(JSON.stringify(checkMachine(around, { ...spec, sshPublicKey: base64("secret") }))).not.toContain(
      base64("secret"),
    ));
  it("tells between which subnets to choose", () =>
    expect(
      checkMachine({ ...around, subnets: [...subnets, { name: "other", role: "node" }] }, spec)[0]?.message,
    ).toContain("role node, subnets control-plane-subnet (control-plane), node-subnet (node), other (node)"));
});

describe("a pool", () => {
  const pool: AzureMachinePoolSpec = { location: "eastus", template: spec };
  it.each<{
    readonly when: string;
    readonly around?: object;
    readonly spec?: Partial<AzureMachinePoolSpec>;
    readonly says: readonly string[];
  }>([
    { when: "that is good", says: [] },
    {
      when: "that is flexible, of an old version",
      around: { kubernetesVersion: "v1.25.9" },
      spec: { orchestrationMode: "Flexible" },
      says: ["spec.orchestrationMode"],
    },
    {
      when: "that is flexible, of a later version",
      around: { kubernetesVersion: "v1.26.0" },
      spec: { orchestrationMode: "Flexible" },
      says: [],
    },
    { when: "that is uniform, of an old version", around: { kubernetesVersion: "v1.25.9" }, says: [] },
    { when: "with too long a name", around: { name: "p".repeat(59) }, says: ["metadata.name"] },
    {
      when: "with a wrong key",
      spec: { template: { ...spec, sshPublicKey: base64("x") } },
      says: ["spec.template.sshPublicKey"],
    },
    { when: "of AKS, which has no subnets to choose from", around: { subnets: [] }, says: [] },
  ])("$when", ({ around: more = {}, spec: changes = {}, says }) => {
    const problems = checkMachinePool({ ...around, ...more }, { ...pool, ...changes });
    expect(problems.map(({ message }) => message.split(": ")[0])).toEqual(says);
  });
});
