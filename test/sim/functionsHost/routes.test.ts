import { describe, expect, it } from "vitest";
import { compareRoutes, matchRoute, parseRoute, type Segment } from "../../../src/sim/functionsHost/routes.ts";

const route = (template: string): readonly Segment[] => {
  const parsed = parseRoute(template);
  if (parsed.kind === "problems") throw new Error(parsed.problems.join());
  return parsed.value;
};
const parts = (path: string): readonly string[] => path.split("/").filter((text) => text !== "");

describe("matchRoute", () => {
  it.each([
    ["health", "health", {}],
    ["Health", "hEALTH", {}],
    ["health", "health/more", undefined],
    ["health", "", undefined],
    ["", "", {}],
    ["things/{id}", "things/a b", { id: "a b" }],
    ["things/{id}", "things", undefined],
    ["things/{id?}", "things", {}],
    ["things/{id:int}", "things/7", { id: "7" }],
    ["things/{id:int}", "things/x", undefined],
    ["things/{id:guid}", "things/7f1f2d6e-6f2a-4c1e-9a53-7a3f5d0e2b11", { id: "7f1f2d6e-6f2a-4c1e-9a53-7a3f5d0e2b11" }],
    ["{kind}/{name}/replay", "AzureCluster/demo/replay", { kind: "AzureCluster", name: "demo" }],
    ["files/{*path}", "files/a/b/c", { path: "a/b/c" }],
    ["files/{*path}", "files", {}],
  ])("%s and /%s give %j", (template, path, params) =>
    expect(matchRoute(route(template), parts(path))).toEqual(params),
  );
});

describe("compareRoutes", () => {
  it("puts the more particular first", () => {
    const templates = ["{*all}", "a/{x}", "a/{x:int}", "{y}/b", "a/b", "a/{*rest}", "a"];
    expect(templates.toSorted((a, b) => compareRoutes(route(a), route(b)))).toEqual([
      "a",
      "a/b",
      "a/{x:int}",
      "a/{x}",
      "a/{*rest}",
      "{y}/b",
      "{*all}",
    ]);
  });
});

describe("parseRoute", () => {
  it("refuses what it cannot match", () =>
    expect(parseRoute("{a}-{b}/{c:odd}")).toEqual({
      kind: "problems",
      problems: ['route segment "{a}-{b}" is not supported', 'route constraint "odd" is not supported'],
    }));
});
