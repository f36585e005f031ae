import { describe, expect, it } from "vitest";
import { assertConditions } from "../../src/core/conditions.ts";
import type { Problem } from "../../src/core/kind.ts";
import { claimsOfProblems, together } from "../../src/core/specProblems.ts";

const problem = (message: string, changes: Partial<Problem> = {}): Problem => ({
  condition: "SpecValid",
  severity: "Error",
  reason: "InvalidConfiguration",
  message,
  ...changes,
});

describe("problems in one message", () => {
  it("are all there while they fit", () => expect(together([problem("a"), problem("b")])).toBe("a; b"));
  it("are counted when they do not", () => {
    const many = Array.from({ length: 300 }, (_, at) => problem(`${at}: ${"x".repeat(95)}`));
    const message = together(many);
    expect(message.length).toBeLessThanOrEqual(10_240);
    const told = message.split("; ").length - 1;
    expect(told).toBeGreaterThan(90);
    expect(message).toMatch(new RegExp(`; and ${300 - told} more$`));
  });
  it("are cut when one alone is too long", () => {
    const message = together([problem("x".repeat(20_000)), problem("b")]);
    expect(message.length).toBeLessThanOrEqual(10_240);
    expect(message).toMatch(/x; and 1 more$/);
  });
});

describe("claims of problems", () => {
  it("are one a condition, as severe as its worst", () =>
    expect(
      claimsOfProblems([
        problem("a", { severity: "Info", reason: "ClusterNotFound" }),
        problem("b"),
        problem("c", { condition: "NetworkInfrastructureReady", severity: "Info", reason: "OwnerRefNotSet" }),
      ]),
    ).toEqual([
      { type: "SpecValid", status: "False", severity: "Error", reason: "InvalidConfiguration", message: "a; b" },
      {
        type: "NetworkInfrastructureReady",
        status: "False",
        severity: "Info",
        reason: "OwnerRefNotSet",
        message: "c",
      },
    ]));

  it("lend Ready their words before what others said earlier", () => {
    const old = [
      { type: "LoadBalancersReady", status: "False", severity: "Error", reason: "Failed", message: "quota" },
    ];
    const [ready] = assertConditions(
      old,
      claimsOfProblems([problem("spec.location: must be given")]),
      "2026-01-01T00:00:00Z",
    );
    expect(ready).toMatchObject({ type: "Ready", status: "False", message: "spec.location: must be given" });
  });
});
