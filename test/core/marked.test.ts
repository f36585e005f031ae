import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import { byDefault, type Marked, orDefault, unmark } from "../../src/core/marked.ts";

interface Body {
  readonly location: string;
  readonly zones?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
  readonly properties: {
    readonly kind?: "Static" | "Dynamic";
    readonly idleMinutes?: number;
    readonly probes?: readonly { readonly name?: string; readonly properties?: { readonly port?: number } }[];
    readonly pools?: readonly { readonly id?: string }[];
    readonly disks?: readonly { readonly lun?: number; readonly size?: number }[];
  };
}
const unmarked = (body: Marked<Body>) => unmark(body, { keys: { "properties.disks": "lun" } });

describe("unmark", () => {
  it.each<{ what: string; body: Marked<Body>; value: unknown; defaults: readonly (readonly string[])[] }>([
    {
      what: "nothing chosen",
      body: { location: "x", properties: {} },
      value: { location: "x", properties: {} },
      defaults: [],
    },
    {
      what: "a chosen leaf, a chosen list, a tag and what is left out",
      body: {
        location: "x",
        zones: byDefault(["1", "2"]),
        tags: { a: "1", b: byDefault("2") },
        properties: {
          kind: orDefault<"Static" | "Dynamic">(undefined, "Static"),
          idleMinutes: orDefault(7, 4),
          pools: undefined,
        },
      },
      value: {
        location: "x",
        zones: ["1", "2"],
        tags: { a: "1", b: "2" },
        properties: { kind: "Static", idleMinutes: 7 },
      },
      defaults: [["zones"], ["tags", "b"], ["properties", "kind"]],
    },
    {
      what: "items of keyed lists stand under their key",
      body: {
        location: "x",
        properties: {
          probes: [
            { name: "a", properties: { port: byDefault(80) } },
            byDefault({ name: "b", properties: { port: 443 } }),
          ],
          pools: [byDefault({ id: "/subscriptions/s/p" })],
          disks: [{ lun: 0, size: byDefault(128) }],
        },
      },
      value: {
        location: "x",
        properties: {
          probes: [
            { name: "a", properties: { port: 80 } },
            { name: "b", properties: { port: 443 } },
          ],
          pools: [{ id: "/subscriptions/s/p" }],
          disks: [{ lun: 0, size: 128 }],
        },
      },
      defaults: [
        ["properties", "probes", "a", "properties", "port"],
        ["properties", "probes", "b"],
        ["properties", "pools", "/subscriptions/s/p"],
        ["properties", "disks", "0", "size"],
      ],
    },
    {
      what: "a list taken whole is ours only when all of it is",
      body: {
        location: "x",
        zones: [byDefault("1"), "2"],
        properties: byDefault({ probes: [{ name: "a" }, { name: "A" }] }),
      },
      value: { location: "x", zones: ["1", "2"], properties: { probes: [{ name: "a" }, { name: "A" }] } },
      defaults: [["properties"]],
    },
    {
      what: "every item chosen",
      body: { location: "x", zones: [byDefault("1"), byDefault("2")], properties: {} },
      value: { location: "x", zones: ["1", "2"], properties: {} },
      defaults: [["zones"]],
    },
  ])("$what", ({ body, value, defaults }) => expect(unmarked(body)).toEqual({ value, defaults }));

  it("gives back any body without marks", () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (body) => {
        expect(unmark(body, {})).toEqual({ value: body, defaults: [] });
        expect(unmark(byDefault(body), {})).toEqual({ value: body, defaults: [[]] });
      }),
    ));
  it("cannot be mistaken for a property of the same name", () =>
    expect(unmark({ byDefault: 1 }, {})).toEqual({ value: { byDefault: 1 }, defaults: [] }));
});

describe("Marked", () => {
  it("keeps the types of the body", () => {
    expectTypeOf(byDefault<number>(1)).toExtend<Marked<number>>();
    expectTypeOf(byDefault<string>("1")).not.toExtend<Marked<number>>();
    expectTypeOf<{ readonly port: "80" }>().not.toExtend<Marked<{ readonly port: number }>>();
    expectTypeOf<{ readonly port: undefined }>().not.toExtend<Marked<{ readonly port: number }>>();
    expectTypeOf<{ readonly port: undefined }>().toExtend<Marked<{ readonly port?: number }>>();
  });
});
