import type { Rules } from "../../../../src/core/rules.ts";
import type { JsonObject, PlannedRequest } from "../../../../src/core/types.ts";
import { rules as overlay, type Rule, type Thing } from "./things.ts";

type Properties = NonNullable<Thing["properties"]>;
/** Everything that Azure holds of the one thing. */
export interface Store {
  readonly location: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly zones: readonly string[];
  readonly properties: Properties;
}

/** One service per way to write. What only `asked` needs are clear values: its Azure keeps what is left out. */
export const services: readonly { readonly way: Rules["writes"]; readonly rules: Rules }[] = [
  { way: "overlay", rules: overlay },
  {
    way: "asked",
    rules: {
      ...overlay,
      writes: "asked",
      clear: {
        "properties.size": 4,
        "properties.note": "",
        "properties.gateway": {},
        "properties.prefix": "",
        "properties.prefixes": [],
        zones: [],
      },
    },
  },
  { way: "patch", rules: { ...overlay, writes: "patch" } },
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** RFC 7396. */
const mergePatch = (target: unknown, patch: unknown): unknown => {
  if (!isRecord(patch)) return patch;
  const kept = isRecord(target) ? target : {};
  const touched = Object.entries(patch).filter(([, value]) => value !== null);
  return {
    ...Object.fromEntries(Object.entries(kept).filter(([name]) => !(name in patch))),
    ...Object.fromEntries(touched.map(([name, value]) => [name, mergePatch(kept[name], value)])),
  };
};

/** A PUT that keeps what it does not name; lists, maps and what is empty are taken as they are. */
const keepingPut = (target: unknown, body: unknown, name = ""): unknown => {
  if (!isRecord(body) || Object.keys(body).length === 0 || name === "labels" || name === "tags") return body;
  const kept = isRecord(target) ? target : {};
  return {
    ...kept,
    ...Object.fromEntries(Object.entries(body).map(([key, value]) => [key, keepingPut(kept[key], value, key)])),
  };
};

const replacingPut = (store: Store, body: JsonObject): unknown => ({
  ...body,
  properties: { children: store.properties.children, ...(isRecord(body["properties"]) && body["properties"]) },
});

const write = (way: Rules["writes"], store: Store, body: JsonObject): unknown => {
  switch (way) {
    case "overlay":
      return replacingPut(store, body);
    case "asked":
      return keepingPut(store, body);
    case "patch":
      return { ...(mergePatch(store, body) as object), tags: body["tags"] ?? store.tags };
  }
};

/** Azure refuses a body that names both alternatives, two rules of one priority, or a read-only field. */
const refuse = (body: JsonObject): void => {
  const text = JSON.stringify(body);
  if (/provisioningState|etag|fqdn/.test(text)) throw new Error(`read-only field in ${text}`);
  const { rules = [], ...properties } = (body["properties"] ?? {}) as Properties;
  for (const { prefix, prefixes } of [properties, ...rules.map((rule) => rule.properties ?? {})])
    if ((prefix ?? "") !== "" && (prefixes ?? []).length > 0) throw new Error(`both alternatives in ${text}`);
  const priorities = rules.map((rule) => rule.properties?.priority);
  if (new Set(priorities).size !== priorities.length) throw new Error(`one priority twice in ${text}`);
};

const tagsAfter = (tags: Store["tags"], body: JsonObject): Store["tags"] => {
  const named = (body["properties"] as { readonly tags: Store["tags"] }).tags;
  return body["operation"] === "Merge"
    ? { ...tags, ...named }
    : Object.fromEntries(Object.entries(tags).filter(([name, value]) => named[name] !== value));
};

/** What Azure holds after a request. */
export const after = (way: Rules["writes"], store: Store | undefined, request: PlannedRequest): Store => {
  const empty: Store = { location: "", tags: {}, zones: [], properties: {} };
  const before = store ?? empty;
  const body = request.body ?? {};
  if (request.path.endsWith("/tags/default")) return { ...before, tags: tagsAfter(before.tags, body) };
  refuse(body);
  const next = write(store === undefined ? "overlay" : way, before, body) as Store;
  // Whatever is sent, Azure decides on the cache.
  return { ...empty, ...next, properties: { size: 4, ...next.properties, cache: "azure" } };
};

const doubled = ({
  prefix,
  prefixes,
}: Pick<Properties, "prefix" | "prefixes">): Pick<Properties, "prefix" | "prefixes"> => {
  if (prefix !== undefined && prefix !== "") return { prefix, prefixes: [prefix] };
  if (prefixes?.length === 1) return { prefix: prefixes[0] ?? "", prefixes };
  return prefixes === undefined ? {} : { prefixes };
};

const shownRule = (rule: Rule): JsonObject => ({
  name: rule.name ?? "",
  id: `/subscriptions/SUB/things/thing/rules/${rule.name}`,
  etag: "W/1",
  properties: {
    description: "",
    ...rule.properties,
    ...doubled(rule.properties ?? {}),
    provisioningState: "Succeeded",
  },
});

/** What a GET answers: read-only fields, fields of Azure's own, doubled alternatives, another case, no secrets. */
export const shown = ({ properties, ...store }: Store): JsonObject => {
  const { token: _token, password: _password, rules, gateway, ...rest } = properties;
  return {
    ...store,
    id: "/subscriptions/SUB/things/thing",
    name: "thing",
    location: store.location === "westeurope" ? "West Europe" : store.location,
    properties: {
      ...(rest as JsonObject),
      ...doubled(properties),
      provisioningState: "Succeeded",
      ...(rules && { rules: rules.map(shownRule).toReversed() }),
      ...(gateway?.id !== undefined && { gateway: { id: gateway.id.toUpperCase() } }),
    },
  };
};
