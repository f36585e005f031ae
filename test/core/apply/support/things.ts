import { type ApplyResult, apply } from "../../../../src/core/apply/apply.ts";
import { resourceId } from "../../../../src/core/ids.ts";
import type { Marked } from "../../../../src/core/marked.ts";
import { unmark } from "../../../../src/core/marked.ts";
import type { Rules } from "../../../../src/core/rules.ts";
import type { AppliedLeaf, Desired, JsonObject, Observed } from "../../../../src/core/types.ts";
import { fields, flagged, map, schemaOf } from "./schema.ts";

export interface Rule {
  readonly name?: string;
  readonly properties?: {
    readonly priority?: number;
    readonly direction?: string;
    readonly description?: string;
    readonly target?: { readonly id?: string };
    readonly prefix?: string;
    readonly prefixes?: readonly string[];
  };
}

/** A resource type with one of everything. */
export interface Thing {
  readonly location?: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly zones?: readonly string[];
  readonly properties?: {
    readonly size?: number;
    readonly note?: string;
    readonly cache?: string;
    readonly address?: string;
    readonly gateway?: { readonly id?: string };
    readonly dns?: { readonly label?: string; readonly servers?: readonly string[] };
    readonly labels?: Readonly<Record<string, string>>;
    readonly prefix?: string;
    readonly prefixes?: readonly string[];
    readonly rules?: readonly Rule[];
    readonly pools?: readonly { readonly id?: string }[];
    readonly children?: readonly { readonly name?: string; readonly properties?: { readonly size?: number } }[];
    readonly password?: string;
    readonly token?: string;
    readonly settings?: JsonObject;
  };
}

export const schema = schemaOf(
  "Test.Provider/things",
  fields({
    id: flagged("readOnly", "string"),
    name: flagged("readOnly", "string"),
    etag: flagged("readOnly", "string"),
    location: "string",
    tags: map("string"),
    zones: ["string"],
    properties: fields({
      provisioningState: flagged("readOnly", "string"),
      size: "number",
      note: "string",
      cache: "string",
      address: "string",
      gateway: fields({ id: "string" }),
      dns: fields({ label: "string", servers: ["string"], fqdn: flagged("readOnly", "string") }),
      labels: map("string"),
      prefix: "string",
      prefixes: ["string"],
      rules: [
        fields({
          name: "string",
          id: "string",
          etag: flagged("readOnly", "string"),
          properties: fields({
            priority: "number",
            direction: "string",
            description: "string",
            target: fields({ id: "string" }),
            prefix: "string",
            prefixes: ["string"],
            provisioningState: flagged("readOnly", "string"),
          }),
        }),
      ],
      pools: [fields({ name: "string", id: "string" })],
      children: [fields({ name: "string", id: "string", properties: fields({ size: "number" }) })],
      password: flagged("secret", "string"),
      token: flagged("writeOnly", "string"),
      settings: "any",
    }),
  }),
);

export const id = resourceId("sub", "rg", "Test.Provider/things", "thing");
export const rules: Rules = {
  writes: "overlay",
  sets: ["zones", "properties.dns.servers", "properties.prefixes", "properties.rules[].properties.prefixes"],
  omit: ["properties.children"],
  oneOf: [
    ["properties.prefix", "properties.prefixes"],
    ["properties.rules[].properties.prefix", "properties.rules[].properties.prefixes"],
  ],
  absentMeans: { "properties.note": "" },
  immutable: ["location", "properties.address"],
  exclusive: { "properties.rules": ["properties.priority", "properties.direction"] },
  effects: { "properties.size": "model" },
};

export const wanted = (body: Marked<Thing>, by: Rules = rules): Desired => {
  const { value, ...marks } = unmark(body, by);
  return { id, body: value as JsonObject, ...marks };
};

export const shows = (body: JsonObject, etag = "e1"): Observed => ({ kind: "present", body, etag });

/** Applies with the rules of the test service, or others laid over them. */
export const applied = (input: {
  readonly body: Marked<Thing>;
  readonly observed: JsonObject | undefined;
  readonly ledger?: readonly AppliedLeaf[];
  readonly rules?: Partial<Rules>;
  readonly tagsAtScope?: boolean;
}): ApplyResult => {
  const by = { ...rules, ...input.rules };
  return apply({
    schema,
    rules: by,
    desired: wanted(input.body, by),
    observed: input.observed === undefined ? { kind: "absent" } : shows(input.observed),
    applied: input.ledger,
    tagsAtScope: input.tagsAtScope ?? true,
  });
};

/** The ledger that a body leaves when it has been applied. */
export const ledgerOf = (body: Marked<Thing>): readonly AppliedLeaf[] => applied({ body, observed: undefined }).applied;

/** The body of the only request. */
export const sent = (result: ApplyResult): JsonObject | undefined =>
  result.kind === "write" ? result.requests[0]?.body : undefined;

/** What changes, as `path: from -> to`. */
export const changes = (result: ApplyResult): readonly string[] =>
  result.kind === "write"
    ? result.requests.flatMap((request) =>
        request.changes.map(({ path, from, to }) => `${path}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`),
      )
    : [];
