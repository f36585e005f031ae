import { beforeAll, describe, expect, it } from "vitest";
import { type DecisionInput, decide } from "../../../src/core/decide.ts";
import type { CountedWrite } from "../../../src/core/guard/countedWrite.ts";
import { waitMs } from "../../../src/core/guard/hold.ts";
import { planHashOf } from "../../../src/core/guard/planHash.ts";
import { resourceId } from "../../../src/core/ids.ts";
import { ownerTag } from "../../../src/core/ownership.ts";
import { emptyRow, type ResourceRow } from "../../../src/core/resourceRow.ts";
import type { Desired } from "../../../src/core/types.ts";
import { heldState } from "../../../src/engine/heldState.ts";
import { loadSchema } from "../../../src/wire/loadSchema.ts";
import type { ResourceSchema } from "../../../src/wire/schema.ts";
import { testScaleSets } from "../../support/testServices/patchVm.ts";

const minute = 60_000;
const nowMs = 1_000 * minute;
const id = resourceId("s", "g", testScaleSets.type, "vmss");
const ours = { [ownerTag("c1")]: "owned" };
const desired: Desired = {
  id,
  body: { location: "eastus", tags: { ...ours, env: "dev" }, sku: { capacity: 2 } },
  defaults: [],
};
const planHash = planHashOf(desired);

let schema: ResourceSchema;
beforeAll(async () => {
  schema = await loadSchema(testScaleSets.type);
});

/** Eight writes of a fight, a minute apart, the last one just now. */
const fight = (tags: boolean): readonly CountedWrite[] =>
  Array.from({ length: 8 }, (_, at) => ({
    planHash,
    atMs: nowMs - (7 - at) * minute,
    earned: false,
    generation: 1,
    dependencies: "",
    ...(tags && { tags }),
  }));

/** Both the size and a tag of it differ from what is wanted, and are ours. */
const inputOf = (row: Partial<ResourceRow>, release = ""): DecisionInput => ({
  service: testScaleSets,
  desired,
  desiredHash: "wanted",
  row: {
    ...emptyRow(id, testScaleSets.name),
    known: "created",
    applied: [
      { path: ["tags", "env"], value: "test", mark: "asked" },
      { path: ["sku", "capacity"], value: 1, mark: "asked" },
    ],
    ...row,
  },
  observed: {
    kind: "present",
    etag: "1",
    body: { location: "eastus", tags: { ...ours, env: "test" }, sku: { capacity: 1 } },
  },
  schema,
  ownerTags: ours,
  parentOurs: true,
  nowMs,
  cause: "change",
  circumstances: {
    retry: "",
    identity: "",
    release,
    children: new Set(),
    generation: 1,
    dependencies: "",
    adopt: new Set(),
    writing: "allowed",
  },
});

/** Last names of what is sent, and what the ledger will say of tag and size. */
const outcomeOf = (input: DecisionInput) => {
  const decision = decide(input);
  if (decision.kind !== "write") throw new Error(decision.kind);
  const appliedAt = (name: string) =>
    decision.row.intent?.applied.find(({ path }) => path.at(-1) === name)?.value ?? null;
  return {
    sent: decision.requests.map(({ path }) => path.split("/").at(-1)),
    ledger: [appliedAt("env"), appliedAt("capacity")],
    held: decision.row.held?.reason,
    shown: decision.refusals.map(({ reason }) => reason),
    writes: decision.row.writes,
  };
};

describe("a write that is wanted", () => {
  it("is counted with its intent, before it is sent", () => {
    const { sent, writes } = outcomeOf(inputOf({}));
    expect(sent).toEqual(["vmss", "default"]);
    expect(writes).toMatchObject([
      { planHash, atMs: nowMs },
      { planHash, atMs: nowMs, tags: true },
    ]);
  });
  it("is held back when its fight has had eight in the hour, and what stands goes on standing", () => {
    const decision = decide(inputOf({ writes: [...fight(false), ...fight(true)] }));
    expect(decision).toMatchObject({ kind: "held", exists: true, held: { count: 8, untilMs: nowMs + 53 * minute } });
    if (decision.kind !== "held") throw new Error(decision.kind);
    expect(heldState(decision)).toMatchObject({ kind: "refused" });
    expect(heldState({ ...decision, exists: false })).toMatchObject({ kind: "failed" });
  });
  it("of tags alone is held back alone: the body goes, and the ledger says of the tag what it said", () =>
    expect(outcomeOf(inputOf({ writes: fight(true) }))).toMatchObject({
      sent: ["vmss"],
      ledger: ["test", 2],
      held: "TagContested",
      shown: ["TagContested"],
    }));
  it("of the body alone is held back alone: the tag goes", () =>
    expect(outcomeOf(inputOf({ writes: fight(false) }))).toMatchObject({
      sent: ["default"],
      ledger: ["dev", 1],
      held: "ReconcileLoop",
    }));
  it("goes at once by a release, which counts once", () => {
    const writes = [...fight(false), ...fight(true)];
    expect(outcomeOf(inputOf({ writes }, "1"))).toMatchObject({ sent: ["vmss", "default"], writes: [{}, {}] });
    expect(decide(inputOf({ writes, released: "1" }, "1")).kind).toBe("held");
  });
  it("takes the place of an unanswered one that did nothing", () => {
    const [write] = fight(false);
    const intent = {
      method: "PATCH",
      changes: [],
      applied: [],
      desiredHash: "wanted",
      planHash,
      cause: "change",
      creating: false,
      sinceMs: nowMs - minute,
    } as const;
    const writesAfter = (etag: string) =>
      outcomeOf(inputOf({ writes: [write!], intent: { ...intent, etag } })).writes.filter(({ tags }) => tags !== true);
    expect(writesAfter("1")).toMatchObject([{ atMs: nowMs }]);
    expect(writesAfter("0")).toMatchObject([{ atMs: write!.atMs }, { atMs: nowMs }]);
  });
});

describe("a wait", () => {
  it("is at most an hour", () => expect([10, 11, 17].map(waitMs)).toEqual([60 * minute, 60 * minute, 60 * minute]));
});

describe("a plan", () => {
  const hash = (body: Desired["body"], more: Partial<Desired> = {}) => planHashOf({ id, body, defaults: [], ...more });
  const gateway = "/subscriptions/s/resourceGroups/g";
  it("is the same whatever the case of its ids and the order of its lists", () => {
    expect(hash({ gateway, zones: ["1", "2"] })).toBe(hash({ gateway: gateway.toUpperCase(), zones: ["2", "1"] }));
    expect(hash({ gateway })).not.toBe(hash({ gateway: `${gateway}2` }));
  });
  it("is the same whatever was made up for the creation", () =>
    expect(hash({ password: "a" }, { createOnly: [["password"]] })).toBe(
      hash({ password: "b" }, { createOnly: [["password"]] }),
    ));
  it("is another one with another version of a Secret, whatever its value", () => {
    const versioned = (value: string, version: string) =>
      hash({ password: value }, { versions: [{ path: ["password"], version }] });
    expect(versioned("a", "1")).toBe(versioned("b", "1"));
    expect(versioned("a", "1")).not.toBe(versioned("a", "2"));
  });
});
