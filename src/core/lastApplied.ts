import { isJsonObject, type Json, type JsonObject } from "../wire/json.ts";
import { lastAppliedPrefix } from "./annotations.ts";
import { parseId } from "./ids.ts";
import { ownerTag } from "./ownership.ts";
import type { LastApplied } from "./service.ts";
import type { AppliedLeaf, Desired, KubeObject } from "./types.ts";

/**
 * Annotations in which upstream keeps what it applied last, and how they are kept up to date:
 * `…-tags-rg` holds `{"tag": "value"}`, `…-security-rules` holds `{"group": {"rule": "description"}}`.
 */

type Entries = Readonly<Record<string, string>>;
type Annotations = KubeObject["metadata"]["annotations"];

const nameOf = ({ annotation }: LastApplied): string => `${lastAppliedPrefix}${annotation}`;

const textsIn = (value: Json | undefined): Entries =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      )
    : {};

/** The annotation's content; undefined when it is missing or damaged. */
const read = (lastApplied: LastApplied, annotations: Annotations): JsonObject | undefined => {
  try {
    // The one cast: what JSON.parse gives is JSON.
    const value = JSON.parse(annotations[nameOf(lastApplied)] ?? "") as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Names of annotations that are there but cannot be read: they are ignored. */
export const damagedAnnotations = (all: readonly LastApplied[], annotations: Annotations): readonly string[] =>
  all.filter((one) => annotations[nameOf(one)] !== undefined && read(one, annotations) === undefined).map(nameOf);

const ownName = ({ id }: Pick<Desired, "id">): string => parseId(id)?.names.at(-1) ?? "";

/** What the annotation says of one resource. */
const entriesOf = (lastApplied: LastApplied, content: JsonObject | undefined, desired: Desired): Entries => {
  if (lastApplied.holds === "tags") return textsIn(content);
  const wanted = ownName(desired).toLowerCase();
  const found = Object.entries(content ?? {}).find(([name]) => name.toLowerCase() === wanted);
  return textsIn(found?.[1]);
};

interface Wish {
  readonly text: string;
  readonly asked: boolean;
}

const isDefault = ({ defaults }: Desired, path: readonly string[]): boolean =>
  defaults.some((marked) => marked.length <= path.length && marked.every((step, index) => step === path[index]));

const rulesPath = ["properties", "securityRules"] as const;

const rulesIn = (body: JsonObject): readonly (readonly [string, string])[] => {
  const { properties } = body;
  const rules = isJsonObject(properties) ? properties["securityRules"] : undefined;
  return (Array.isArray(rules) ? rules : []).flatMap((rule) => {
    if (!isJsonObject(rule) || typeof rule["name"] !== "string") return [];
    const description = isJsonObject(rule["properties"]) ? rule["properties"]["description"] : undefined;
    return [[rule["name"], typeof description === "string" ? description : ""] as const];
  });
};

/** What is wanted now of that which the annotation tells of. */
const wishesOf = ({ holds }: LastApplied, desired: Desired): ReadonlyMap<string, Wish> => {
  const path = holds === "tags" ? ["tags"] : rulesPath;
  const texts = holds === "tags" ? Object.entries(textsIn(desired.body["tags"])) : rulesIn(desired.body);
  return new Map(texts.map(([name, text]) => [name, { text, asked: !isDefault(desired, [...path, name]) }]));
};

/** Owner tags are ours in any case, and never upstream's to take away. */
const isOwnerTag = (name: string): boolean => name.toLowerCase().startsWith(ownerTag("").toLowerCase());

const leafOf = ({ holds }: LastApplied, name: string, text: string): AppliedLeaf =>
  holds === "tags"
    ? { path: ["tags", name], value: text, mark: "asked" }
    : { path: [...rulesPath, name, "name"], value: name, mark: "asked" };

/** What was applied once by the annotation's word and is no longer wanted: it goes, also when the ledger is lost. */
export const formerlyApplied = (
  lastApplied: LastApplied | undefined,
  annotations: Annotations,
  desired: Desired,
): readonly AppliedLeaf[] => {
  const content = lastApplied && read(lastApplied, annotations);
  if (lastApplied === undefined || content === undefined) return [];
  const wanted = new Set([...wishesOf(lastApplied, desired).keys()].map((name) => name.toLowerCase()));
  return Object.entries(entriesOf(lastApplied, content, desired))
    .filter(([name]) => !wanted.has(name.toLowerCase()) && !isOwnerTag(name))
    .map(([name, text]) => leafOf(lastApplied, name, text));
};

/** One resource whose fields an annotation tells of. */
export interface Tracked {
  readonly desired: Desired;
  /** What the ledger says. */
  readonly applied: readonly AppliedLeaf[];
  /** What was to go is gone. */
  readonly done: boolean;
}

/** What the ledger says of a name: its text, empty when there is none; undefined when the name is not applied. */
const textApplied = (lastApplied: LastApplied, name: string, applied: readonly AppliedLeaf[]): string | undefined => {
  const below = lastApplied.holds === "tags" ? [] : ["properties", "description"];
  const start = lastApplied.holds === "tags" ? ["tags", name] : [...rulesPath, name];
  const leaves = applied.filter(({ path }) => start.every((step, index) => step === path[index]));
  const text = leaves.find(({ path }) => path.slice(start.length).join() === below.join())?.value;
  return leaves.length === 0 ? undefined : typeof text === "string" ? text : "";
};

/**
 * What was applied and is still wanted stays; what was asked for comes once it is applied; what went in Azure goes. The
 * texts are those that are applied: with the wanted ones each new wish would write to the object, and that is news again.
 */
const nextEntries = (lastApplied: LastApplied, before: Entries, { desired, applied, done }: Tracked): Entries => {
  const wishes = wishesOf(lastApplied, desired);
  const kept = Object.entries(before).filter(([name]) => !done || wishes.has(name));
  const told = [...wishes].flatMap(([name, { text: wanted, asked }]) => {
    const text = textApplied(lastApplied, name, applied);
    const tells = text !== undefined && !isOwnerTag(name) && (asked || Object.hasOwn(before, name));
    return tells ? [[name, text === "" && wanted !== "" ? (before[name] ?? "") : text] as const] : [];
  });
  return Object.fromEntries([...kept, ...told]);
};

const sorted = (value: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, child]) => [name, isJsonObject(child) ? sorted(child) : child]),
  );

const contentAfter = (lastApplied: LastApplied, before: JsonObject, tracked: readonly Tracked[]): JsonObject => {
  if (lastApplied.holds === "tags")
    return Object.assign({}, ...tracked.map((one) => nextEntries(lastApplied, textsIn(before), one)));
  const groups = tracked.map(
    (one) =>
      [ownName(one.desired), nextEntries(lastApplied, entriesOf(lastApplied, before, one.desired), one)] as const,
  );
  return Object.fromEntries(groups.filter(([, rules]) => Object.keys(rules).length > 0));
};

/**
 * Annotations whose text has to change, so that they tell what is applied now. `tracked`: the resources of one service but
 * those that are not ours. One that is not there is not begun for nothing, and one that says the same is left as it is spelled.
 */
export const lastAppliedText = (
  lastApplied: LastApplied,
  annotations: Annotations,
  tracked: readonly Tracked[],
): Readonly<Record<string, string>> => {
  const before = read(lastApplied, annotations);
  if (tracked.length === 0) return {};
  const after = JSON.stringify(sorted(contentAfter(lastApplied, before ?? {}, tracked)));
  return after === JSON.stringify(sorted(before ?? {})) ? {} : { [nameOf(lastApplied)]: after };
};
