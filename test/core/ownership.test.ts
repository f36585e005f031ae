import { describe, expect, it } from "vitest";
import { type OwnershipFacts, ownership, ownerTag } from "../../src/core/ownership.ts";

const taggable: OwnershipFacts = { taggable: true, hasOurTag: false, known: "nothing", parentOurs: false };
const tagged: OwnershipFacts = { ...taggable, hasOurTag: true };
const untaggable: OwnershipFacts = { ...taggable, taggable: false };

describe("ownership", () => {
  it.each([
    { when: "tagged, created by us", facts: { ...tagged, known: "created" }, verdict: "ours" },
    { when: "tagged, adopted", facts: { ...tagged, known: "adopted" }, verdict: "ours" },
    { when: "tagged, nothing known", facts: tagged, verdict: "ours" },
    {
      when: "tagged, but seen untagged before we ever wrote",
      facts: { ...tagged, known: "seenUnmanaged" },
      verdict: "unmanaged",
    },
    {
      when: "the tag was taken off what we created",
      facts: { ...taggable, known: "created" },
      verdict: "ownershipLost",
    },
    {
      when: "the tag was taken off what we adopted",
      facts: { ...taggable, known: "adopted" },
      verdict: "ownershipLost",
    },
    { when: "untagged, nothing known", facts: taggable, verdict: "unmanaged" },
    { when: "untagged, seen so before", facts: { ...taggable, known: "seenUnmanaged" }, verdict: "unmanaged" },
    { when: "untagged in something of ours", facts: { ...taggable, parentOurs: true }, verdict: "unmanaged" },
    { when: "untaggable, created by us", facts: { ...untaggable, known: "created" }, verdict: "ours" },
    { when: "untaggable, adopted", facts: { ...untaggable, known: "adopted" }, verdict: "ours" },
    { when: "untaggable, nothing known", facts: untaggable, verdict: "unmanaged" },
    { when: "untaggable, its parent is ours", facts: { ...untaggable, parentOurs: true }, verdict: "ours" },
    {
      when: "untaggable, its parent became ours",
      facts: { ...untaggable, known: "seenUnmanaged", parentOurs: true },
      verdict: "ours",
    },
    {
      when: "untaggable, seen under a foreign parent",
      facts: { ...untaggable, known: "seenUnmanaged" },
      verdict: "unmanaged",
    },
    {
      when: "a role assignment for a principal of ours",
      facts: { ...untaggable, principalOurs: true },
      verdict: "ours",
    },
  ] as const)("$when -> $verdict", ({ facts, verdict }) => expect(ownership(facts)).toBe(verdict));

  it("spells the tag as existing clusters carry it", () =>
    expect(ownerTag("demo")).toBe("sigs.k8s.io_cluster-api-provider-azure_cluster_demo"));
});
