import { beforeAll, describe, expect, it } from "vitest";
import { decide } from "../../src/core/decide.ts";
import { decideRemoval } from "../../src/core/decideRemoval.ts";
import { idKey, resourceId } from "../../src/core/ids.ts";
import { type Known, ownerTag } from "../../src/core/ownership.ts";
import { emptyRow } from "../../src/core/resourceRow.ts";
import type { Desired, JsonObject, Observed, ResourceId } from "../../src/core/types.ts";
import { routeTables } from "../../src/services/routeTables.ts";
import { subnets } from "../../src/services/subnets.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import type { ResourceSchema } from "../../src/wire/schema.ts";

/** Each row of the table of design section 6, as `decide` and `decideRemoval` carry it out. */

const ours = ownerTag("c1");
const theirs = ownerTag("c2");
const ownerTags = { [ours]: "owned" };
const tableId = resourceId("s", "g", "Microsoft.Network/routeTables", "rt");
const subnetId = resourceId("s", "net", "Microsoft.Network/virtualNetworks/subnets", "vnet", "subnet");

const schemas: Record<string, ResourceSchema> = {};
beforeAll(async () => {
  for (const { type } of [routeTables, subnets]) schemas[type] = await loadSchema(type);
});

interface Case {
  readonly taggable: boolean;
  readonly known: Known;
  readonly tags?: JsonObject;
  readonly parentOurs?: boolean;
  readonly principalOurs?: boolean;
  readonly adopt?: boolean;
}

const circumstances = (adopt: readonly ResourceId[]) => ({
  retry: "",
  identity: "",
  release: "",
  children: new Set<string>(),
  generation: 1,
  dependencies: "",
  adopt: new Set(adopt.map(idKey)),
  writing: "allowed" as const,
});

/** A resource that is there, and differs from what is wanted: whoever may write does. */
const settingOf = ({ taggable, known, tags = {}, parentOurs = false, principalOurs = false, adopt = false }: Case) => {
  const service = taggable ? routeTables : subnets;
  const id = taggable ? tableId : subnetId;
  const desired: Desired = taggable
    ? { id, body: { location: "eastus", tags: { ...ownerTags, wanted: "yes" }, properties: {} }, defaults: [] }
    : { id, body: { properties: { addressPrefix: "10.1.0.0/16" } }, defaults: [] };
  const properties: JsonObject = { provisioningState: "Succeeded", ...(!taggable && { addressPrefix: "10.2.0.0/16" }) };
  const body: JsonObject = taggable ? { location: "eastus", tags, properties } : { properties };
  const observed: Observed = { kind: "present", body, etag: "1" };
  return {
    service,
    desired,
    desiredHash: "wanted",
    row: { ...emptyRow(id, service.name), known },
    observed,
    schema: schemas[service.type]!,
    ownerTags,
    parentOurs,
    principalOurs,
    nowMs: 1_000,
    cause: "change",
    circumstances: circumstances(adopt ? [id] : []),
  };
};

const tagsRequest = (id: string): string => `${id}/providers/Microsoft.Resources/tags/default`;

/** In a word, what `decide` does. */
const verdictOf = (one: Case): string => {
  const input = settingOf(one);
  const decision = decide(input);
  if (decision.kind === "write") {
    const { intent, known } = decision.row;
    if (intent?.adopts === true) return "tagged";
    expect(known === "adopted" || known === one.known).toBe(true);
    return "written";
  }
  if (decision.kind !== "done") return decision.kind;
  return decision.refusals[0]?.reason ?? (decision.ours ? "ours" : "unmanaged");
};
const removalOf = (one: Case): string => decideRemoval(settingOf(one)).kind;

const tagged = { [ours]: "owned" };
describe("the table of ownership", () => {
  it.each([
    { when: "tag, created", is: { taggable: true, known: "created", tags: tagged }, verdict: "written", end: "delete" },
    { when: "tag, adopted", is: { taggable: true, known: "adopted", tags: tagged }, verdict: "written", end: "delete" },
    {
      when: "tag, nothing known",
      is: { taggable: true, known: "nothing", tags: tagged },
      verdict: "written",
      end: "delete",
    },
    {
      when: "tag, in other letters",
      is: { taggable: true, known: "nothing", tags: { [ours.toUpperCase()]: "owned" } },
      verdict: "written",
      end: "delete",
    },
    {
      when: "tag, seen untagged before we ever wrote",
      is: { taggable: true, known: "seenUnmanaged", tags: tagged },
      verdict: "unmanaged",
      end: "kept",
    },
    { when: "no tag, created", is: { taggable: true, known: "created" }, verdict: "OwnershipLost", end: "kept" },
    { when: "no tag, adopted", is: { taggable: true, known: "adopted" }, verdict: "OwnershipLost", end: "kept" },
    { when: "no tag, nothing known", is: { taggable: true, known: "nothing" }, verdict: "unmanaged", end: "kept" },
    {
      when: "no tag, seen so before",
      is: { taggable: true, known: "seenUnmanaged" },
      verdict: "unmanaged",
      end: "kept",
    },
    {
      when: "tag with another value",
      is: { taggable: true, known: "nothing", tags: { [ours]: "shared" } },
      verdict: "unmanaged",
      end: "kept",
    },
    {
      when: "another cluster's tag, in a group of ours",
      is: { taggable: true, known: "nothing", tags: { [theirs]: "owned" }, parentOurs: true },
      verdict: "unmanaged",
      end: "kept",
    },
    { when: "untaggable, created", is: { taggable: false, known: "created" }, verdict: "written", end: "delete" },
    { when: "untaggable, adopted", is: { taggable: false, known: "adopted" }, verdict: "written", end: "delete" },
    { when: "untaggable, nothing known", is: { taggable: false, known: "nothing" }, verdict: "unmanaged", end: "kept" },
    {
      when: "untaggable, nothing known, its parent is ours",
      is: { taggable: false, known: "nothing", parentOurs: true },
      verdict: "written",
      end: "delete",
    },
    {
      when: "a role assignment that the spec names, whose principal is ours",
      is: { taggable: false, known: "nothing", principalOurs: true },
      verdict: "written",
      end: "delete",
    },
    {
      when: "a role assignment that the spec names, whose principal is not ours",
      is: { taggable: false, known: "nothing", principalOurs: false },
      verdict: "unmanaged",
      end: "kept",
    },
  ] as const)("$when: $verdict, and at the end $end", ({ is, verdict, end }) => {
    expect(verdictOf(is)).toBe(verdict);
    expect(removalOf(is)).toBe(end);
  });

  it("A43: a zone may be somebody else's although a link and a record in it are ours", () => {
    const zone = { taggable: true, known: "seenUnmanaged" } as const;
    const link = { taggable: true, known: "created", tags: tagged } as const;
    const record = { taggable: false, known: "created", parentOurs: false } as const;
    expect([zone, link, record].map(removalOf)).toEqual(["kept", "delete", "delete"]);
    expect([zone, link, record].map(verdictOf)).toEqual(["unmanaged", "written", "written"]);
  });
});

describe("what stands there after a creation that had no answer", () => {
  const intended = (is: Case, creating: boolean) => {
    const input = settingOf(is);
    const { addressPrefix } = input.desired.body["properties"] as { readonly addressPrefix?: string };
    const intent = {
      method: "PUT",
      changes: [],
      applied: [{ path: ["properties", "addressPrefix"], value: addressPrefix ?? "", mark: "asked" }],
      desiredHash: "wanted",
      planHash: "p",
      cause: "change",
      creating,
      sinceMs: 0,
    } as const;
    return { ...input, row: { ...input.row, intent } };
  };
  const untaggable = { taggable: false, known: "nothing" } as const;
  const asMeant = (input: ReturnType<typeof intended>) => ({
    ...input,
    observed: { kind: "present", body: input.desired.body, etag: "1" } as const,
  });
  it("is ours when it is untaggable and has the body that was meant", () =>
    expect(decideRemoval(asMeant(intended(untaggable, true)))).toMatchObject({ kind: "delete" }));
  it("is not ours when it is untaggable and has another body", () =>
    expect(decideRemoval(intended(untaggable, true))).toMatchObject({ kind: "kept" }));
  it("is not ours by an intent that was no creation", () =>
    expect(decideRemoval(asMeant(intended(untaggable, false)))).toMatchObject({ kind: "kept" }));
  it("is ours when it bears our tag, so that its loss is noticed later", () => {
    const seen = decide(intended({ taggable: true, known: "nothing", tags: tagged }, true));
    expect(seen.row.known).toBe("created");
    expect(decide(intended({ taggable: true, known: "nothing" }, true))).toMatchObject({ kind: "done", ours: false });
  });
});

describe("an open intent under a new plan", () => {
  it("is folded into what we applied first, so that what it left and nobody wants any more goes", () => {
    const input = settingOf({ taggable: true, known: "created", tags: { ...tagged, left: "1", others: "2" } });
    const intent = {
      method: "PUT",
      changes: [],
      applied: [{ path: ["tags", "left"], value: "1", mark: "asked" }],
      desiredHash: "earlier",
      planHash: "p",
      cause: "change",
      creating: false,
      sinceMs: 0,
    } as const;
    const decision = decide({ ...input, row: { ...input.row, intent } });
    if (decision.kind !== "write") throw new Error(decision.kind);
    const changed = decision.requests.flatMap(({ changes }) => changes.map(({ path, to }) => [path, to]));
    expect(changed).toEqual([
      ["tags.wanted", "yes"],
      ["tags.left", null],
    ]);
  });
});

describe("adoption by annotation", () => {
  it.each([
    { when: "no tag, nothing known", is: { taggable: true, known: "nothing" }, verdict: "tagged" },
    { when: "no tag, seen so before", is: { taggable: true, known: "seenUnmanaged" }, verdict: "tagged" },
    { when: "the tag was taken off", is: { taggable: true, known: "created" }, verdict: "tagged" },
    {
      when: "a tag that somebody set",
      is: { taggable: true, known: "seenUnmanaged", tags: tagged },
      verdict: "written",
    },
    {
      when: "another cluster's",
      is: { taggable: true, known: "nothing", tags: { [theirs]: "owned" } },
      verdict: "ForeignConflict",
    },
    {
      when: "another cluster's as well as ours",
      is: { taggable: true, known: "seenUnmanaged", tags: { ...tagged, [theirs]: "owned" } },
      verdict: "ForeignConflict",
    },
    { when: "untaggable", is: { taggable: false, known: "seenUnmanaged" }, verdict: "written" },
    { when: "ours already", is: { taggable: true, known: "created", tags: tagged }, verdict: "written" },
  ] as const)("$when: $verdict", ({ is, verdict }) => expect(verdictOf({ ...is, adopt: true })).toBe(verdict));

  it("is of what is named, not of anything else", () => {
    const input = settingOf({ taggable: true, known: "nothing" });
    const decision = decide({ ...input, circumstances: circumstances([subnetId]) });
    expect(decision).toMatchObject({ kind: "done", ours: false, row: { known: "seenUnmanaged" } });
  });

  it("writes one tag, and nothing else", () => {
    const decision = decide(settingOf({ taggable: true, known: "nothing", tags: { team: "x" }, adopt: true }));
    if (decision.kind !== "write") throw new Error(decision.kind);
    expect(decision.requests).toEqual([
      {
        method: "PATCH",
        path: tagsRequest(tableId),
        apiVersion: expect.any(String),
        body: { operation: "Merge", properties: { tags: { [ours]: "owned" } } },
        changes: [{ path: `tags.${ours}`, from: null, to: "owned", effect: "inPlace" }],
      },
    ]);
  });

  it("that had no answer is seen by the tag it left", () => {
    const before = decide(settingOf({ taggable: true, known: "seenUnmanaged", adopt: true }));
    if (before.kind !== "write") throw new Error(before.kind);
    const later = { ...settingOf({ taggable: true, known: "seenUnmanaged", tags: tagged }), row: before.row };
    expect(decide(later)).toMatchObject({ kind: "write", row: { known: "adopted" } });
    expect(decideRemoval(later)).toMatchObject({ kind: "delete" });
  });
});
