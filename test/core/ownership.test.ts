import { describe, expect, it } from "vitest";
import { type OwnershipFacts, ownership, ownerTag } from "../../src/core/ownership.ts";

const taggable: OwnershipFacts = { taggable: true, hasOurTag: false, known: "nothing", parentOurs: false };
const tagged: OwnershipFacts = { ...taggable, hasOurTag: true };
const untaggable: OwnershipFacts = { ...taggable, taggable: false };

describe("ownership", () => {
  it.each([
    { when: "tagged, created by us", facts: { ...tagged, known: "created" }, then: "ours" },
    { when: "tagged, adopted", facts: { ...tagged, known: "adopted" }, then: "ours" },
    { when: "tagged, nothing known", facts: tagged, then: "ours" },
    {
      when: "tagged, but seen untagged before we ever wrote",
      facts: { ...tagged, known: "seenUnmanaged" },
      then: "unmanaged",
    },
    { when: "the tag was taken off what we created", facts: { ...taggable, known: "created" }, then: "ownershipLost" },
    { when: "the tag was taken off what we adopted", facts: { ...taggable, known: "adopted" }, then: "ownershipLost" },
    { when: "untagged, nothing known", facts: taggable, then: "unmanaged" },
    { when: "untagged, seen so before", facts: { ...taggable, known: "seenUnmanaged" }, then: "unmanaged" },
    { when: "untagged in something of ours", facts: { ...taggable, parentOurs: true }, then: "unmanaged" },
    { when: "untaggable, created by us", facts: { ...untaggable, known: "created" }, then: "ours" },
    { when: "untaggable, adopted", facts: { ...untaggable, known: "adopted" }, then: "ours" },
    { when: "untaggable, nothing known", facts: untaggable, then: "unmanaged" },
    { when: "untaggable, its parent is ours", facts: { ...untaggable, parentOurs: true }, then: "ours" },
    {
      when: "untaggable, its parent became ours",
      facts: { ...untaggable, known: "seenUnmanaged", parentOurs: true },
      then: "ours",
    },
    {
      when: "untaggable, seen under a foreign parent",
      facts: { ...untaggable, known: "seenUnmanaged" },
      then: "unmanaged",
    },
    { when: "a role assignment for a principal of ours", facts: { ...untaggable, principalOurs: true }, then: "ours" },
  ] as const)("$when -> $then", ({ facts, then }) => expect(ownership(facts)).toBe(then));

  it("spells the tag as existing clusters carry it", () =>
    expect(ownerTag("demo")).toBe("sigs.k8s.io_cluster-api-provider-azure_cluster_demo"));
});
