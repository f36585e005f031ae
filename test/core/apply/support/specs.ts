import fc from "fast-check";
import { byDefault, type Marked } from "../../../../src/core/marked.ts";
import type { Rule, Thing } from "./things.ts";

/** What a user may ask for, and what we choose; `undefined`: neither. */
export interface Spec {
  readonly size: Choice<number>;
  readonly note: string | undefined;
  readonly gateway: string | undefined;
  readonly prefixes: readonly string[] | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly zones: readonly string[] | undefined;
  readonly token: string | undefined;
  readonly rules: readonly RuleSpec[];
}
export type Choice<T> = { readonly value: T; readonly asked: boolean } | undefined;
export interface RuleSpec {
  readonly name: string;
  readonly asked: boolean;
  readonly priority: number;
  readonly description: Choice<string>;
  readonly prefixes: readonly string[] | undefined;
}

const choice = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Choice<T>> =>
  fc.option(fc.record({ value, asked: fc.boolean() }), { nil: undefined });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const prefixes = fc.subarray(["10.0.0.0/8", "172.16.0.0/12"], { minLength: 1 });
const names = (of: readonly string[]): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc
    .subarray([...of])
    .chain((chosen) =>
      fc
        .tuple(...chosen.map(() => fc.constantFrom("1", "2")))
        .map((values) => Object.fromEntries(chosen.map((name, index) => [name, values[index] ?? ""]))),
    );

const ruleNames = ["r0", "r1", "r2"] as const;
const rules = fc.shuffledSubarray([...ruleNames]).chain((chosen) =>
  fc.tuple(
    ...chosen.map((name) =>
      fc.record<RuleSpec>({
        name: fc.constant(name),
        asked: fc.boolean(),
        priority: fc.constantFrom(0, 1).map((odd) => 100 + 10 * ruleNames.indexOf(name) + odd),
        description: choice(fc.constantFrom("x", "y")),
        prefixes: maybe(prefixes),
      }),
    ),
  ),
);

export const spec: fc.Arbitrary<Spec> = fc.record({
  size: choice(fc.integer({ min: 1, max: 9 })),
  note: maybe(fc.constantFrom("n", "m")),
  gateway: maybe(fc.constantFrom("/subscriptions/s/g1", "/subscriptions/s/g2")),
  prefixes: maybe(prefixes),
  labels: names(["a", "b"]),
  tags: names(["Name", "owner"]),
  zones: maybe(fc.shuffledSubarray(["1", "2", "3"], { minLength: 1 })),
  token: maybe(fc.constantFrom("t1", "t2")),
  rules,
});

const marked = <T>(of: Choice<T>) => (of === undefined ? undefined : of.asked ? of.value : byDefault<T>(of.value));

const alternatives = (
  of: readonly string[] | undefined,
): { readonly prefix?: string; readonly prefixes?: readonly string[] } => {
  const [first, ...others] = of ?? [];
  if (first === undefined) return {};
  return others.length === 0 ? { prefix: first } : { prefixes: [first, ...others] };
};

const ruleBody = ({ name, asked, priority, description, prefixes: of }: RuleSpec): Marked<Rule> => {
  const properties = { priority, direction: "In", ...alternatives(of) };
  return asked
    ? { name, properties: { ...properties, description: marked(description) } }
    : byDefault({ name, properties: { ...properties, description: description?.value } });
};

/** The body of a spec. */
export const bodyOf = (of: Spec): Marked<Thing> => ({
  location: "westeurope",
  tags: of.tags,
  zones: of.zones,
  properties: {
    size: marked(of.size),
    cache: byDefault("ours"),
    note: of.note,
    gateway: of.gateway === undefined ? undefined : { id: of.gateway },
    labels: of.labels,
    token: of.token,
    ...alternatives(of.prefixes),
    rules: of.rules.map(ruleBody),
  },
});

/** Another release of ours: the same wishes, other choices. */
export const withOtherDefaults = (of: Spec): Spec => {
  const other = <T>(before: Choice<T>, value: T): Choice<T> =>
    before?.asked === true ? before : { value, asked: false };
  const more = ruleNames.filter((name) => of.rules.every((rule) => rule.name !== name));
  return {
    ...of,
    size: other(of.size, 77),
    rules: [
      ...of.rules.map((rule) => ({
        ...rule,
        description: other(rule.description, "other"),
        ...(!rule.asked && { priority: 177 }),
      })),
      ...more.map((name) => ({
        name,
        asked: false,
        priority: 300 + ruleNames.indexOf(name),
        description: undefined,
        prefixes: undefined,
      })),
    ],
  };
};

/** A release that makes no choices at all. */
export const withoutDefaults = (of: Spec): Spec => {
  const onlyAsked = <T>(choice: Choice<T>): Choice<T> => (choice?.asked === true ? choice : undefined);
  return {
    ...of,
    size: onlyAsked(of.size),
    rules: of.rules.filter(({ asked }) => asked).map((rule) => ({ ...rule, description: onlyAsked(rule.description) })),
  };
};
