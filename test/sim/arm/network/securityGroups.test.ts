import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/sim/arm/json.ts";
import { aGroup, bodies, location, nsgId } from "../aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const properties = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: Record<string, Json> }).properties;
const names = (list: Json | undefined) => (list as { name: string }[]).map(({ name }) => name);

describe("network security groups", () => {
  const nsg = (...rules: Json[]): Json => ({ location, properties: { securityRules: rules } });
  const rule = (name: string, priority: number, more: Record<string, Json> = {}): Json => ({
    name,
    properties: bodies.rule(priority, more),
  });

  it("fills rules, adds the default ones, and shows a rule under its own URL", () => {
    const world = aGroup();
    world.put(nsgId, nsg(rule("ssh", 2200)));
    const got = properties(world.get(nsgId));
    expect(got["securityRules"]).toMatchObject([
      {
        name: "ssh",
        id: `${nsgId}/securityRules/ssh`,
        etag: expect.any(String),
        properties: { provisioningState: "Succeeded", sourcePortRanges: [], destinationAddressPrefixes: [] },
      },
    ]);
    expect(names(got["defaultSecurityRules"])).toContain("DenyAllInBound");
    world.put(`${nsgId}/securityRules/api`, { properties: bodies.rule(2201, { destinationPortRange: "6443" }) });
    expect(names(properties(world.get(nsgId))["securityRules"])).toEqual(["ssh", "api"]);
  });

  it("does none of that when defaults are off", () => {
    const world = aGroup({ defaults: "none" });
    world.put(nsgId, nsg(rule("ssh", 2200)));
    const got = properties(world.get(nsgId));
    expect(got["defaultSecurityRules"]).toBeUndefined();
    expect(got["securityRules"]).toEqual([
      expect.objectContaining({ properties: { ...(bodies.rule(2200) as object), provisioningState: "Succeeded" } }),
    ]);
  });

  it.each([
    {
      when: "priority and direction are taken",
      body: nsg(rule("a", 100), rule("b", 100)),
      gives: "400 SecurityRuleConflict",
    },
    { when: "a priority is out of range", body: nsg(rule("a", 99)), gives: "400 SecurityRuleInvalidPriority" },
    { when: "two rules have one name", body: nsg(rule("a", 100), rule("A", 101)), gives: "400 DuplicateResourceName" },
    {
      when: "a rule names one and many",
      body: nsg(rule("a", 100, { destinationPortRanges: ["80"] })),
      gives: "400 SecurityRuleParameterConflict",
    },
  ])("$when: $gives", ({ body, gives }) => expect(errorOf(aGroup().put(nsgId, body))).toBe(gives));

  it("the same priority in the other direction is fine, by rule URL it conflicts too", () => {
    const world = aGroup();
    expect(world.put(nsgId, nsg(rule("a", 100), rule("b", 100, { direction: "Outbound" }))).status).toBe(201);
    expect(errorOf(world.put(`${nsgId}/securityRules/c`, { properties: bodies.rule(100) }))).toBe(
      "400 SecurityRuleConflict",
    );
  });
});
