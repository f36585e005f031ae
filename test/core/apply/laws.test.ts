import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ApplyResult, apply } from "../../../src/core/apply/apply.ts";
import { settleApplied } from "../../../src/core/apply/settleApplied.ts";
import type { Rules } from "../../../src/core/rules.ts";
import type { AppliedLeaf, JsonObject } from "../../../src/core/types.ts";
import { after, type Store, services, shown } from "./support/azure.ts";
import { bodyOf, type RuleSpec, type Spec, spec, withOtherDefaults, withoutDefaults } from "./support/specs.ts";
import { type Rule, schema, shows, type Thing, wanted } from "./support/things.ts";

interface World {
  readonly store: Store | undefined;
  readonly ledger: readonly AppliedLeaf[] | undefined;
}
const nothing: World = { store: undefined, ledger: undefined };

const look = (
  rules: Rules,
  { store, ledger }: World,
  of: Spec,
  see: (body: JsonObject) => JsonObject = (body) => body,
): ApplyResult =>
  apply({
    schema,
    rules,
    desired: wanted(bodyOf(of), rules),
    observed: store === undefined ? { kind: "absent" } : shows(see(shown(store))),
    applied: ledger,
    tagsAtScope: true,
  });

/** One turn: what is wanted is written, and looked at again. */
const turn = (rules: Rules, world: World, of: Spec): World => {
  const result = look(rules, world, of);
  if (result.kind !== "write") return { ...world, ledger: result.applied };
  const store = result.requests.reduce<Store | undefined>(
    (held, request) => after(rules.writes, held, request),
    world.store,
  );
  return { store, ledger: settleApplied(schema, rules, result.applied, shown(store!)) };
};

// ── other writers ────────────────────────────────────────────────────────
type Properties = NonNullable<Thing["properties"]>;
const change = (store: Store, by: (properties: Properties) => Properties): Store => ({
  ...store,
  properties: by(store.properties),
});
const without = (of: Readonly<Record<string, string>> | undefined, name: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(of ?? {}).filter(([own]) => own !== name));

/** Things that others add and that must stay. */
const additions = {
  rule: (store: Store) =>
    change(store, (p) => ({
      ...p,
      rules: [
        { name: "foreign", properties: { priority: 900, direction: "In" } },
        ...(p.rules ?? []).filter(({ name }) => name !== "foreign"),
      ],
    })),
  tag: (store: Store) => ({ ...store, tags: { foreign: "f", ...store.tags } }),
  label: (store: Store) => change(store, (p) => ({ ...p, labels: { foreign: "f", ...p.labels } })),
  field: (store: Store) => change(store, (p) => ({ ...p, dns: { label: "foreign" } })),
  child: (store: Store) => change(store, (p) => ({ ...p, children: [{ name: "foreign" }] })),
  pool: (store: Store) => change(store, (p) => ({ ...p, pools: [{ id: "/subscriptions/s/foreign" }] })),
} as const;
type Addition = keyof typeof additions;
const has: Readonly<Record<Addition, (store: Store) => boolean>> = {
  rule: ({ properties }) => properties.rules?.find(({ name }) => name === "foreign")?.properties?.priority === 900,
  tag: ({ tags }) => tags["foreign"] === "f",
  label: ({ properties }) => properties.labels?.["foreign"] === "f",
  field: ({ properties }) => properties.dns?.label === "foreign",
  child: ({ properties }) => properties.children?.[0]?.name === "foreign",
  pool: ({ properties }) => properties.pools?.[0]?.id === "/subscriptions/s/foreign",
};
/** What others do to what is ours. */
const meddling: readonly ((store: Store) => Store)[] = [
  (store) => change(store, (p) => ({ ...p, size: 55 })),
  (store) => change(store, (p) => ({ ...p, note: "meddled" })),
  (store) => change(store, (p) => ({ ...p, labels: without(p.labels, "a") })),
  (store) => change(store, (p) => ({ ...p, rules: p.rules?.filter(({ name }) => name !== "r0") ?? [] })),
  (store) =>
    change(store, (p) => ({
      ...p,
      rules: (p.rules ?? []).map((rule) =>
        rule.name === "r1" ? { ...rule, properties: { ...rule.properties, priority: 119 } } : rule,
      ),
    })),
  (store) => ({ ...store, tags: without(store.tags, "Name"), zones: [] }),
];

type Step =
  | { readonly kind: "spec"; readonly spec: Spec }
  | { readonly kind: "add"; readonly what: Addition }
  | { readonly kind: "meddle"; readonly how: number };
const step: fc.Arbitrary<Step> = fc.oneof(
  spec.map((of): Step => ({ kind: "spec", spec: of })),
  fc.constantFrom(...(Object.keys(additions) as Addition[])).map((what): Step => ({ kind: "add", what })),
  fc.nat({ max: meddling.length - 1 }).map((how): Step => ({ kind: "meddle", how })),
);
const story = fc.record({ first: spec, steps: fc.array(step, { maxLength: 8 }) });

interface Moment {
  readonly world: World;
  readonly spec: Spec;
  readonly before: Spec;
  readonly added: ReadonlySet<Addition>;
}
const disturbed = (store: Store | undefined, next: Step): Store | undefined => {
  if (store === undefined || next.kind === "spec") return store;
  return next.kind === "add" ? additions[next.what](store) : meddling[next.how]!(store);
};
/** Lives through a story, a turn after every step, and shows each moment. */
const live = (
  rules: Rules,
  { first, steps }: { readonly first: Spec; readonly steps: readonly Step[] },
  see: (moment: Moment) => void,
): void => {
  let moment: Moment = { world: turn(rules, nothing, first), spec: first, before: first, added: new Set() };
  see(moment);
  for (const next of steps) {
    const of = next.kind === "spec" ? next.spec : moment.spec;
    const world = turn(rules, { ...moment.world, store: disturbed(moment.world.store, next) }, of);
    const added = next.kind === "add" ? new Set([...moment.added, next.what]) : moment.added;
    moment = { world, spec: of, before: moment.spec, added };
    see(moment);
  }
};

const prefixesOf = ({ prefix, prefixes }: Pick<Properties, "prefix" | "prefixes">): readonly string[] =>
  prefix !== undefined && prefix !== "" ? [prefix] : (prefixes ?? []);
const ruleIn = ({ properties }: Store, wantedName: string) => properties.rules?.find(({ name }) => name === wantedName);

/** What the user asks for stands in Azure. */
const expectAsked = (store: Store, of: Spec): void => {
  if (of.size?.asked === true) expect(store.properties.size).toBe(of.size.value);
  if (of.note !== undefined) expect(store.properties.note).toBe(of.note);
  if (of.gateway !== undefined) expect(store.properties.gateway?.id?.toLowerCase()).toBe(of.gateway);
  if (of.prefixes !== undefined) expect(prefixesOf(store.properties)).toEqual(of.prefixes);
  if (of.zones !== undefined) expect(store.zones.toSorted()).toEqual(of.zones.toSorted());
  if (of.token !== undefined) expect(store.properties.token).toBe(of.token);
  expect(store.tags).toMatchObject(of.tags);
  expect(store.properties.labels ?? {}).toMatchObject(of.labels);
  for (const rule of of.rules.filter(({ asked }) => asked)) {
    expect(ruleIn(store, rule.name)?.properties).toMatchObject({ priority: rule.priority });
    if (rule.prefixes !== undefined)
      expect(prefixesOf(ruleIn(store, rule.name)?.properties ?? {})).toEqual(rule.prefixes);
    if (rule.description?.asked === true)
      expect(ruleIn(store, rule.name)?.properties?.description).toBe(rule.description.value);
  }
};
/** What the user asked for before and no longer does is gone. */
const expectGone = (store: Store, before: Spec, of: Spec): void => {
  if (before.size?.asked === true && of.size === undefined) expect(store.properties.size).toBe(4);
  if (before.note !== undefined && of.note === undefined) expect(store.properties.note ?? "").toBe("");
  if (before.gateway !== undefined && of.gateway === undefined) expect(store.properties.gateway ?? {}).toEqual({});
  if (before.prefixes !== undefined && of.prefixes === undefined) expect(prefixesOf(store.properties)).toEqual([]);
  if (before.zones !== undefined && of.zones === undefined) expect(store.zones).toEqual([]);
  for (const name of Object.keys(before.tags))
    if (of.tags[name] === undefined) expect(store.tags).not.toHaveProperty([name]);
  for (const name of Object.keys(before.labels))
    if (of.labels[name] === undefined) expect(store.properties.labels ?? {}).not.toHaveProperty([name]);
  for (const { name, asked } of before.rules)
    if (asked && of.rules.every((rule) => rule.name !== name)) expect(ruleIn(store, name)).toBeUndefined();
};

const upper = (text: string): string => (text.startsWith("/subscriptions/") ? text.toUpperCase() : text);
/** The same body as Azure may show it another time: lists of items in another order, names and ids in another case. */
const otherwise = (value: unknown): unknown => {
  if (typeof value === "string") return upper(value);
  if (Array.isArray(value)) return value.map(otherwise).toReversed();
  if (typeof value !== "object" || value === null) return value;
  const named = Object.entries(value).map(([name, child]): readonly [string, unknown] => [name, otherwise(child)]);
  return Object.fromEntries(
    named.map(([name, child]) => [name, name === "name" && typeof child === "string" ? child.toUpperCase() : child]),
  );
};

describe.each(services)("a service that writes by $way", ({ rules }) => {
  const holds = (see: (moment: Moment) => void): void =>
    fc.assert(
      fc.property(story, (of) => live(rules, of, see)),
      { numRuns: 30 },
    );

  it("is settled after one turn", () =>
    holds(({ world, spec: of }) =>
      expect(look(rules, world, of)).toEqual({ kind: "unchanged", applied: world.ledger }),
    ));
  it("brings what is asked", () => holds(({ world, spec: of }) => expectAsked(world.store!, of)));
  it("takes away what is no longer asked", () =>
    holds(({ world, spec: of, before }) => expectGone(world.store!, before, of)));
  it("leaves alone what others added", () =>
    holds(({ world, added }) => expect([...added].filter((what) => !has[what](world.store!))).toEqual([])));
  it("does not care for order and case", () =>
    holds(({ world, spec: of }) =>
      expect(look(rules, world, of, (body) => otherwise(body) as JsonObject)).toEqual({
        kind: "unchanged",
        applied: world.ledger,
      }),
    ));
  it("writes no default of another release, and takes none away", () =>
    holds(({ world, spec: of }) => {
      expect(look(rules, world, withOtherDefaults(of)).kind).toBe("unchanged");
      expect(look(rules, world, withoutDefaults(of)).kind).toBe("unchanged");
    }));
  it("writes nothing when the ledger is lost, or on a takeover by another release", () =>
    holds(({ world, spec: of }) => {
      const lost = { ...world, ledger: undefined };
      expect(look(rules, lost, of).kind).toBe("unchanged");
      expect(look(rules, lost, withOtherDefaults(of)).kind).toBe("unchanged");
    }));
  it("never writes half of what it refuses, and the rest whole", () =>
    fc.assert(
      fc.property(spec, fc.boolean(), (any, moves) => {
        const found = any.rules.find(({ asked }) => asked);
        fc.pre(found !== undefined);
        const mine: RuleSpec = { ...found, description: { value: "x", asked: true } };
        const of = { ...any, rules: any.rules.map((rule) => (rule === found ? mine : rule)) };
        const thief: Rule = {
          name: "foreign",
          properties: { priority: mine.priority, direction: "In", description: "theirs" },
        };
        const before = {
          ...of,
          rules: of.rules.map((rule) => (moves && rule === mine ? { ...rule, priority: 700 } : rule)),
        };
        const settled = turn(rules, nothing, before);
        const kept = settled.store!.properties.rules!.filter(({ name }) => moves || name !== mine.name);
        const store = change({ ...settled.store!, location: "moved" }, (p) => ({
          ...p,
          size: 55,
          rules: [thief, ...kept],
        }));
        const first = look(rules, { ...settled, store }, of);
        expect(first).toMatchObject({ refusals: [{ reason: "ImmutableDrift" }, { reason: "ForeignConflict" }] });
        const world = turn(rules, { ...settled, store }, of);
        expect(world.store).toMatchObject({ location: "moved" });
        expect(ruleIn(world.store!, "foreign")?.properties).toEqual(thief.properties);
        expect(ruleIn(world.store!, mine.name)?.properties).toEqual(ruleIn(store, mine.name)?.properties);
        expectAsked(world.store!, { ...of, rules: of.rules.filter((rule) => rule !== mine) });
        expect(look(rules, world, of)).toMatchObject({ kind: "refused", applied: world.ledger });
      }),
      { numRuns: 30 },
    ));
});
