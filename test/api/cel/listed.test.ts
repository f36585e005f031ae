import { describe, expect, it } from "vitest";
import { checkObject } from "../../../src/api/check/checkObject.ts";

interface Subnet {
  readonly name: string;
  readonly cidrBlocks?: readonly string[];
}
const saidOf = (subnets: readonly Subnet[], cidrBlocks?: readonly string[]): readonly string[] =>
  checkObject("AzureCluster", {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureCluster",
    metadata: { name: "c1" },
    spec: {
      location: "westeurope",
      identityRef: { kind: "AzureClusterIdentity", name: "i" },
      controlPlaneEnabled: false,
      networkSpec: {
        ...(cidrBlocks !== undefined && { vnet: { cidrBlocks } }),
        subnets: subnets.map((subnet) => ({ role: "node", ...subnet })),
      },
    },
  }).map(({ message }) => message);

const apart = "must be subnets whose ranges do not overlap";
const two = [
  { name: "a", cidrBlocks: ["10.1.0.0/16"] },
  { name: "b", cidrBlocks: ["10.1.1.0/24"] },
];

describe("lists in messages", () => {
  it.each<{ readonly when: string; readonly subnets: readonly Subnet[]; readonly says: string }>([
    { when: "two overlap", subnets: two, says: `${apart}: a (10.1.0.0/16), b (10.1.1.0/24)` },
    {
      when: "others do not",
      subnets: [...two, { name: "c", cidrBlocks: ["10.9.0.0/16", "fd00:db8::/64"] }, { name: "d" }],
      says: `${apart}: a (10.1.0.0/16), b (10.1.1.0/24)`,
    },
    {
      when: "two pairs overlap",
      subnets: [...two, { name: "c", cidrBlocks: ["10.3.0.0/16"] }, { name: "d", cidrBlocks: ["10.3.0.0/24"] }],
      says: `${apart}: a (10.1.0.0/16), b (10.1.1.0/24); c (10.3.0.0/16), d (10.3.0.0/24)`,
    },
    {
      when: "a subnet has two ranges",
      subnets: [{ name: "a", cidrBlocks: ["10.1.0.0/16", "10.2.0.0/16"] }, two[1]!],
      says: `${apart}: a (10.1.0.0/16, 10.2.0.0/16), b (10.1.1.0/24)`,
    },
    {
      when: "one overlaps many",
      subnets: [
        { name: "a", cidrBlocks: ["10.1.0.0/16"] },
        ...["b", "c", "d"].map((name, i) => ({ name, cidrBlocks: [`10.1.${i}.0/24`] })),
      ],
      says: `${apart}: ["a (10.1.0.0/16)", "b (10.1.0.0/24)", "c (10.1.1.0/24)", "d (10.1.2.0/24)"]`,
    },
  ])("are read as words where $when", ({ subnets, says }) =>
    expect(saidOf(subnets, ["10.0.0.0/8", "fd00:db8::/48"])).toEqual([says]),
  );

  it("name what lies outside, and outside of what", () => {
    const subnets = [
      { name: "a", cidrBlocks: ["11.0.0.0/24"] },
      { name: "b", cidrBlocks: ["12.0.0.0/24", "10.0.0.0/24"] },
    ];
    const outside = "not a (11.0.0.0/24), b (12.0.0.0/24, 10.0.0.0/24)";
    expect(saidOf(subnets)).toEqual([`must be subnets inside the virtual network's 10.0.0.0/8: ${outside}`]);
    expect(saidOf(subnets, ["10.0.0.0/8", "13.0.0.0/8"])).toEqual([
      `must be subnets inside the virtual network's 10.0.0.0/8, 13.0.0.0/8: ${outside}`,
    ]);
  });
});
