import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { ApplyResult } from "../../../src/core/apply/apply.ts";
import type { Change, Json, JsonObject } from "../../../src/core/types.ts";
import { loadSchema } from "../../../src/wire/loadSchema.ts";
import type { ResourceSchema } from "../../../src/wire/schema.ts";
import type { Wish } from "../../support/testServices/wish.ts";
import { desiredOf, look, meddle, type Simulated, simulated, storedBody, turn } from "./support/simulated.ts";
import { at, put, type Spot, type WishedService, wishedServices } from "./support/wishes.ts";

type Step =
  | { readonly kind: "wish"; readonly wish: Wish }
  | { readonly kind: "add"; readonly what: number }
  | { readonly kind: "meddle"; readonly how: number };

const stories = ({ wish, additions, meddling }: WishedService) =>
  fc.record({
    first: wish,
    steps: fc.array(
      fc.oneof(
        wish.map((one): Step => ({ kind: "wish", wish: one })),
        fc.nat({ max: additions.length - 1 }).map((what): Step => ({ kind: "add", what })),
        fc.nat({ max: meddling.length - 1 }).map((how): Step => ({ kind: "meddle", how })),
      ),
      { maxLength: 6 },
    ),
  });

/** After one step and the turn that follows it. */
interface Moment {
  readonly azure: Simulated;
  readonly wish: Wish;
  readonly before: Wish;
  readonly added: readonly Spot[];
  readonly result: ApplyResult;
  /** What Azure held before the turn; nothing before the first one. */
  readonly from: JsonObject | undefined;
}

const live = (
  { service, name, additions, meddling, parents }: WishedService,
  schema: ResourceSchema,
  { first, steps }: { readonly first: Wish; readonly steps: readonly Step[] },
  see: (moment: Moment) => void,
): void => {
  const azure = simulated(parents);
  const act = (wish: Wish): ApplyResult => turn(azure, service, schema, desiredOf(service, name, wish));
  let moment: Moment = { azure, wish: first, before: first, added: [], result: act(first), from: undefined };
  see(moment);
  for (const step of steps) {
    const wish = step.kind === "wish" ? step.wish : moment.wish;
    const desired = desiredOf(service, name, wish);
    const spot = step.kind === "add" ? additions[step.what]! : undefined;
    if (spot !== undefined) meddle(azure, desired, (body) => put(body, spot.path, spot.value));
    if (step.kind === "meddle") meddle(azure, desired, meddling[step.how]!);
    // Who empties a list takes out what others have put into it, too.
    const kept = moment.added.filter((one) => at(storedBody(azure, desired), one.path) !== undefined);
    const from = structuredClone(storedBody(azure, desired)) as JsonObject;
    const result = act(wish);
    moment = {
      from,
      azure,
      wish,
      before: moment.wish,
      added: spot === undefined ? kept : [...kept, spot],
      result,
    };
    see(moment);
  }
};

/** Scalars of which others may add some. */
const isOpen = (path: readonly string[]): boolean => path.at(-1) === "nodeTaints";

const textOf = (item: Json): string => (typeof item === "string" ? item : "");

const neverShown = /(secret|windowsProfile|adminPassword|customData|protectedSettings)$/;

/** Everything that is wanted stands in what is shown: items by their key, other lists in any order, ids in any case. */
const stands = (wanted: Json, shown: Json | undefined, path: readonly string[]): readonly string[] => {
  const here = path.join(".");
  if (neverShown.test(here)) return [];
  if (Array.isArray(wanted)) {
    const rest = isOpen(path) && Array.isArray(shown) ? shown.filter((item: Json) => wanted.includes(item)) : shown;
    if (wanted.length === 0 && isOpen(path)) return [];
    if (wanted.length === 0) return shown === undefined || (Array.isArray(shown) && shown.length === 0) ? [] : [here];
    if (!Array.isArray(shown) || !Array.isArray(rest)) return [here];
    return wanted.flatMap((item: Json) => {
      const key = typeof item === "object" && item !== null ? keyOf(item) : "";
      if (key !== "") return stands(item, at(shown, [key]), [...path, key]);
      return rest.includes(item) && rest.length === wanted.length ? [] : [here];
    });
  }
  if (typeof wanted === "object" && wanted !== null)
    return Object.entries(wanted).flatMap(([name, value]) =>
      stands(value, typeof shown === "object" && shown !== null ? (shown as JsonObject)[name] : undefined, [
        ...path,
        name,
      ]),
    );
  return wanted === shown ? [] : [here];
};

/** What was wanted before and is not wanted now still stands: its paths. */
const left = (
  { before, wish, azure }: Moment,
  { service, name, resting, kept = [] }: WishedService,
): readonly string[] => {
  const desired = desiredOf(service, name, wish);
  const leaves = (value: Json, path: readonly string[]): readonly (readonly string[])[] => {
    if (Array.isArray(value) && isOpen(path)) return value.map((item: Json) => [...path, textOf(item)]);
    if (Array.isArray(value))
      return value.every((item: Json) => typeof item === "object")
        ? value.flatMap((item: Json) => leaves(item, [...path, keyOf(item)]))
        : [path];
    return typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([step, child]) => leaves(child, [...path, step]))
      : [path];
  };
  const defaults = (before.defaults ?? []).map((path) => path.join("."));
  return leaves(before.body, [])
    .filter((path) => !defaults.includes(path.join(".")) && !neverShown.test(path.join(".")))
    .filter((path) => at(desired.body, path) === undefined && !kept.includes(path.join(".")))
    .filter((path) => {
      const shown = at(storedBody(azure, desired), path);
      return !(
        shown === undefined ||
        (Array.isArray(shown) && shown.length === 0) ||
        JSON.stringify(shown) === JSON.stringify(resting[path.join(".")])
      );
    })
    .map((path) => path.join("."));
};

const stepsOf = (path: string): readonly string[] =>
  [...path.matchAll(/\["([^"]+)"\]|\[([^\]]+)\]|([^.[\]]+)/g)].map(
    ([, quoted, key, name]) => quoted ?? key ?? name ?? "",
  );

/** One of several is shown as several: which form it has is no difference of meaning. */
const several = new Set(["sourceAddressPrefix"]);
const inOneForm = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(inOneForm);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, child]) => !Array.isArray(child) || child.length > 0);
  return Object.fromEntries(
    entries.map(([name, child]) => (several.has(name) ? [`${name}es`, [child]] : [name, inOneForm(child)])),
  );
};

/** A change as steps and values, in one form. */
const plainChange = ({ path, from, to }: Change) => {
  const steps = stepsOf(path);
  const last = steps.at(-1) ?? "";
  const isOne = several.has(last);
  const value = (one: Json): Json => (isOne && one !== null ? [one] : inOneForm(one));
  return {
    path,
    steps: isOne ? [...steps.slice(0, -1), `${last}es`] : steps,
    was: value(from),
    to: value(to),
    secret: from === "***" || to === "***",
  };
};

/** What Azure changes by itself whenever something is written. */
const byAzure = /(^|\.)(etag|eTag|provisioningState|current\w+Version|fqdn|maxAgentPools)$/;

const keyOf = (item: Json): string => {
  const { name, lun, path } = item as Readonly<Record<string, string | number | undefined>>;
  return String(name ?? lun ?? path ?? "");
};

/** Paths at which two bodies differ. */
const differences = (
  one: Json | undefined,
  other: Json | undefined,
  path: readonly string[],
): readonly (readonly string[])[] => {
  if (JSON.stringify(one) === JSON.stringify(other) || byAzure.test(path.join("."))) return [];
  const children = (value: Json | undefined): readonly string[] | undefined => {
    if (Array.isArray(value) && isOpen(path)) return value.map(String);
    if (Array.isArray(value))
      return value.some((item: Json) => typeof item !== "object") ? undefined : value.map(keyOf);
    return typeof value === "object" && value !== null ? Object.keys(value) : undefined;
  };
  const [left, right] = [children(one ?? {}), children(other ?? {})];
  if (left === undefined || right === undefined) {
    const sorted = (value: Json | undefined) =>
      Array.isArray(value)
        ? JSON.stringify(value.map(String).toSorted((a, b) => (a < b ? -1 : 1)))
        : JSON.stringify(value);
    return sorted(one) === sorted(other) ? [] : [path];
  }
  return [...new Set([...left, ...right])].flatMap((step) =>
    differences(at(one, [step]), at(other, [step]), [...path, step]),
  );
};

/** The same answer another time: lists of items in another order, ids in another case. */
const otherwise = (value: Json): Json => {
  if (typeof value === "string") return value.startsWith("/subscriptions/") ? value.toUpperCase() : value;
  if (Array.isArray(value)) return value.map(otherwise).toReversed();
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, otherwise(child)]));
};

describe.each(wishedServices.map((one) => ({ ...one, way: one.service.rules.writes, of: one.service.name })))(
  "$of, written by $way, against the simulated Azure",
  (of) => {
    const { service, name } = of;
    let schema: ResourceSchema;
    beforeAll(async () => {
      schema = await loadSchema(service.type);
    });
    const holds = (see: (moment: Moment) => void): void =>
      fc.assert(
        fc.property(stories(of), (story) => live(of, schema, story, see)),
        { numRuns: 40 },
      );
    const again = ({ azure, wish }: Moment, see?: (body: JsonObject) => JsonObject): ApplyResult =>
      look(azure, service, schema, desiredOf(service, name, wish), see);

    it("applying twice changes nothing", () =>
      holds((moment) => {
        const second = again(moment);
        expect(second.kind).not.toBe("write");
        expect(second.applied).toEqual(moment.azure.ledger);
      }));
    it("what is asked for stands, but for what is refused", () =>
      holds(({ azure, wish, result }) => {
        const refused = result.kind === "unchanged" ? [] : result.refusals.map(({ path }) => path);
        const chosen = (wish.defaults ?? []).map((path) => path.join("."));
        const excused = [...refused, ...chosen, ...(of.kept ?? [])];
        const body = storedBody(azure, desiredOf(service, name, wish));
        const atRest = (path: string): boolean =>
          at(body, path.split(".")) === undefined &&
          JSON.stringify(at(wish.body, path.split("."))) === JSON.stringify(of.resting[path]);
        const missing = stands(wish.body, body, []).filter((path) => !excused.includes(path) && !atRest(path));
        expect(missing).toEqual([]);
      }));
    it("what is no longer asked for is gone", () => holds((moment) => expect(left(moment, of)).toEqual([])));
    it("what others added survives any sequence of our writes and theirs", () =>
      holds(({ azure, wish, added }) => {
        const body = storedBody(azure, desiredOf(service, name, wish));
        expect(added.flatMap(({ path, value }) => stands(value, at(body, path), path))).toEqual([]);
      }));
    it("order and case never matter", () =>
      holds((moment) => expect(again(moment, (body) => otherwise(body) as JsonObject).kind).not.toBe("write")));
    it("a lost ledger writes nothing", () =>
      holds((moment) => {
        const { ledger } = moment.azure;
        moment.azure.ledger = undefined;
        expect(again(moment).kind).not.toBe("write");
        moment.azure.ledger = ledger;
      }));
    it("no secret stands in changes, refusals or ledger", () =>
      holds(({ azure, result }) => {
        const told = result.kind === "write" ? result.requests.map(({ changes }) => changes) : [];
        expect(JSON.stringify([told, result.kind === "unchanged" ? [] : result.refusals, azure.ledger])).not.toContain(
          "c4n4ry",
        );
      }));
    it("the changes of a write are exactly what becomes different", () =>
      holds(({ azure, wish, added, from, result }) => {
        if (from === undefined) return;
        const sent = result.kind === "write" ? result.requests.flatMap((request) => request.changes) : [];
        const changes = sent.map(plainChange);
        // What others have put there, Azure completes in its own way.
        const places = [...changes.map(({ steps }) => steps), ...added.map(({ path }) => path)];
        const before = inOneForm(from);
        const after = inOneForm(storedBody(azure, desiredOf(service, name, wish)));
        const isExplained = (path: readonly string[]): boolean =>
          places.some((place) => place.every((step, index) => step.toLowerCase() === path[index]?.toLowerCase()));
        expect(differences(before, after, []).filter((path) => !isExplained(path))).toEqual([]);
        for (const { path, steps, was, to } of changes.filter(({ secret }) => !secret)) {
          if (was !== null) expect(stands(was, at(before, steps), steps), `${path} was`).toEqual([]);
          if (to !== null) expect(stands(to, at(after, steps), steps), `${path} is`).toEqual([]);
        }
      }));
    it("a difference of tags alone is written at the scope of the tags", () =>
      holds(({ result }) => {
        const requests = result.kind === "write" ? result.requests : [];
        const onlyTags = requests.every(({ changes }) => changes.every(({ path }) => path.startsWith("tags")));
        if (requests.length > 0 && onlyTags)
          expect(
            requests.map(({ path }) => path.endsWith("/providers/Microsoft.Resources/tags/default")),
          ).not.toContain(false);
      }));
  },
);
