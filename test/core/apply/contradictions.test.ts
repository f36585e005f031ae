import { describe, expect, it } from "vitest";
import { applied, changes, ledgerOf, sent } from "./support/things.ts";

const rule = (
  name: string,
  priority: number,
  more: { readonly direction?: string; readonly description?: string } = {},
) => ({
  name,
  properties: { priority, direction: "In", ...more },
});
type Rule = ReturnType<typeof rule>;
const list = (...rules: readonly Rule[]) => ({ properties: { rules } });

/** A52: what upstream does with these is unknown; Azure refuses the body as a whole, again and again. */
const cases: readonly {
  readonly what: string;
  readonly wanted: readonly Rule[];
  readonly observed?: readonly Rule[];
  readonly ledger?: readonly Rule[];
  readonly refused: readonly string[];
  readonly stands: readonly Rule[];
}[] = [
  {
    what: "one priority and direction twice, in a creation",
    wanted: [rule("a", 100), rule("b", 100), rule("c", 110)],
    refused: ["properties.rules[b]"],
    stands: [rule("a", 100), rule("c", 110)],
  },
  {
    what: "one priority in both directions",
    wanted: [rule("a", 100), rule("b", 100, { direction: "Out" })],
    refused: [],
    stands: [rule("a", 100), rule("b", 100, { direction: "Out" })],
  },
  {
    what: "one name twice, in a creation",
    wanted: [rule("a", 100), rule("A", 200)],
    refused: ["properties.rules[a]"],
    stands: [rule("a", 100)],
  },
  {
    what: "one name twice, next to somebody else's rule",
    wanted: [rule("a", 100), rule("a", 200)],
    observed: [rule("theirs", 300)],
    refused: ["properties.rules[a]"],
    stands: [rule("theirs", 300), rule("a", 100)],
  },
  {
    what: "one rule twice in the same words",
    wanted: [rule("a", 100), rule("a", 100)],
    observed: [rule("theirs", 300)],
    refused: [],
    stands: [rule("theirs", 300), rule("a", 100)],
  },
  {
    what: "a rule that moves onto another one of ours",
    wanted: [rule("a", 100), rule("b", 100)],
    observed: [rule("a", 100), rule("b", 200)],
    ledger: [rule("a", 100), rule("b", 200)],
    refused: ["properties.rules[b]"],
    stands: [rule("a", 100), rule("b", 200)],
  },
  {
    what: "a rule that moves onto a later one, which stays",
    wanted: [rule("a", 200), rule("b", 200)],
    observed: [rule("a", 100), rule("b", 200)],
    ledger: [rule("a", 100), rule("b", 200)],
    refused: ["properties.rules[a]"],
    stands: [rule("a", 100), rule("b", 200)],
  },
  {
    what: "two rules that change places",
    wanted: [rule("a", 200), rule("b", 100)],
    observed: [rule("a", 100), rule("b", 200)],
    ledger: [rule("a", 100), rule("b", 200)],
    refused: [],
    stands: [rule("a", 200), rule("b", 100)],
  },
  {
    what: "a rule that cannot leave a place that another one of ours is to take",
    wanted: [rule("a", 200), rule("b", 100)],
    observed: [rule("a", 100), rule("theirs", 200), rule("b", 300)],
    ledger: [rule("a", 100), rule("b", 300)],
    refused: ["properties.rules[a]", "properties.rules[b]"],
    stands: [rule("a", 100), rule("theirs", 200), rule("b", 300)],
  },
  {
    what: "a name that another rule takes over together with its priority",
    wanted: [rule("new", 100)],
    observed: [rule("old", 100)],
    ledger: [rule("old", 100)],
    refused: [],
    stands: [rule("new", 100)],
  },
];

describe("things that exclude each other", () => {
  it.each(cases)("A52: $what", ({ wanted, observed, ledger, refused, stands }) => {
    const result = applied({
      body: list(...wanted),
      observed: observed && list(...observed),
      ...(ledger && { ledger: ledgerOf(list(...ledger)) }),
    });
    const refusals = result.kind === "unchanged" ? [] : result.refusals;
    expect(refusals.map(({ path }) => path)).toEqual(refused);
    const body = sent(result) ?? (observed && list(...observed));
    expect(body).toEqual(list(...stands));
  });
  it("A52: the message names both, and who is in the way", () => {
    const result = applied({ body: list(rule("a", 100), rule("b", 100)), observed: undefined });
    expect(result).toMatchObject({
      refusals: [
        {
          reason: "Contradiction",
          message:
            "properties.rules[b] is impossible next to properties.rules[a]: both have the same properties.priority and properties.direction",
        },
      ],
    });
    expect(applied({ body: list(rule("a", 100), rule("a", 200)), observed: undefined })).toMatchObject({
      refusals: [{ message: "properties.rules[a] is wanted twice, in two forms: the first one counts" }],
    });
  });
  it("A52: what was left out goes on being ours, and is written once it is possible", () => {
    const before = ledgerOf(list(rule("a", 100), rule("b", 200)));
    const observed = list(rule("a", 100), rule("b", 200));
    const first = applied({ body: list(rule("a", 100), rule("b", 100)), observed, ledger: before });
    expect(first).toMatchObject({ kind: "refused", applied: before });
    const then = applied({ body: list(rule("a", 110), rule("b", 100)), observed, ledger: first.applied });
    expect(changes(then)).toEqual([
      "properties.rules[a].properties.priority: 100 -> 110",
      "properties.rules[b].properties.priority: 200 -> 100",
    ]);
  });
});
