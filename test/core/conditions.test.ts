import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assertConditions,
  deletedClaim,
  readySummary,
  serviceClaim,
  stateOfFailure,
} from "../../src/core/conditions.ts";
import type { ServiceState } from "../../src/core/kind.ts";
import type { Claim, Failure, Json, JsonObject } from "../../src/core/types.ts";

const service = { label: "subnets", condition: "SubnetsReady", trueWhenUnused: false };
const now = "2026-11-30T16:26:23.456Z";
const later = "2026-11-30T17:00:00Z";

// Fact sheet 8.2.
describe("what a service's state says", () => {
  it.each<{ readonly state: ServiceState; readonly gives: object | undefined }>([
    { state: { kind: "done" }, gives: { status: "True" } },
    { state: { kind: "unused" }, gives: undefined },
    { state: { kind: "waiting", why: "virtualNetworks" }, gives: undefined },
    {
      state: { kind: "inProgress", verb: "creating" },
      gives: { status: "False", severity: "Info", reason: "Creating", message: "subnets creating or updating" },
    },
    {
      state: { kind: "inProgress", verb: "updating" },
      gives: { status: "False", severity: "Info", reason: "Updating", message: "subnets updating" },
    },
    {
      state: { kind: "inProgress", verb: "deleting" },
      gives: { status: "False", severity: "Info", reason: "Deleting", message: "subnets deleting" },
    },
    {
      state: { kind: "failed", reason: "Failed", severity: "Error", message: "no" },
      gives: {
        status: "False",
        severity: "Error",
        reason: "Failed",
        message: "subnets failed to create or update. err: no",
      },
    },
    {
      state: { kind: "failed", reason: "DeletionFailed", severity: "Error", message: "no" },
      gives: {
        status: "False",
        severity: "Error",
        reason: "DeletionFailed",
        message: "subnets failed to delete. err: no",
      },
    },
    {
      state: { kind: "refused", reason: "ImmutableDrift", message: "location: eastus, wanted westus" },
      gives: {
        status: "False",
        severity: "Warning",
        reason: "ImmutableDrift",
        message: "location: eastus, wanted westus",
      },
    },
  ])("$state -> $gives", ({ state, gives }) =>
    expect(serviceClaim(service, state)).toEqual(gives && { type: "SubnetsReady", ...gives }),
  );

  it("is true for an unused service where upstream says so", () =>
    expect(serviceClaim({ ...service, trueWhenUnused: true }, { kind: "unused" })).toEqual({
      type: "SubnetsReady",
      status: "True",
    }));
  it("is Deleted at the end", () =>
    expect(deletedClaim(service)).toMatchObject({
      reason: "Deleted",
      severity: "Info",
      message: "subnets successfully deleted",
    }));
});

describe("how a failure shows", () => {
  const failure = (kind: Failure["kind"]): Failure => ({ kind, code: "SomeCode", message: "words" });
  it.each(["transient", "throttled", "conflict", "dependency"] as const)("%s: as progress, with its cause", (kind) => {
    const state = stateOfFailure(failure(kind), "creating");
    expect(serviceClaim(service, state)).toMatchObject({
      severity: "Info",
      reason: "Creating",
      message: "subnets creating or updating: SomeCode: words",
    });
  });
  it.each(["capacity", "quota", "policy", "auth", "badConfiguration", "gone"] as const)("%s: as an error", (kind) => {
    expect(stateOfFailure(failure(kind), "updating")).toMatchObject({ reason: "Failed", severity: "Error" });
    expect(stateOfFailure(failure(kind), "deleting")).toMatchObject({ reason: "DeletionFailed", severity: "Error" });
  });
  it("says what a person can do", () =>
    expect(stateOfFailure({ kind: "policy", code: "ScopeLocked", message: "no" }, "deleting")).toMatchObject({
      message: expect.stringMatching(/^ScopeLocked: no\. A .*remove the lock/),
    }));
  it.each([
    { attempt: 1, soon: "5 minutes" },
    { attempt: 2, soon: "5 minutes" },
    { attempt: 4, soon: "15 minutes" },
    { attempt: 9, soon: "an hour" },
  ])("says how soon an error is tried again after attempt $attempt", ({ attempt, soon }) =>
    expect(stateOfFailure(failure("badConfiguration"), "creating", attempt)).toMatchObject({
      message: `SomeCode: words. Tried again within ${soon}.`,
    }),
  );
  it("says nothing of the next try of what passes by itself", () =>
    expect(stateOfFailure(failure("transient"), "creating", 3)).toMatchObject({ message: "SomeCode: words" }));
  it("names the code once", () =>
    expect(stateOfFailure({ ...failure("auth"), message: "SomeCode happened" }, "creating")).toMatchObject({
      message: "SomeCode happened",
    }));
});

const condition = (type: string, rest: JsonObject = {}): JsonObject => ({
  type,
  status: "True",
  lastTransitionTime: "2026-01-01T00:00:00Z",
  ...rest,
});
const isFalse = (severity: string, reason: string): JsonObject => ({ status: "False", severity, reason });

// Fact sheet 8.3.
describe("Ready", () => {
  it.each([
    {
      others: [condition("B", isFalse("Info", "i")), condition("C", isFalse("Error", "e"))],
      gives: { status: "False", severity: "Error", reason: "e" },
    },
    {
      others: [condition("B", isFalse("Info", "i")), condition("C", isFalse("Warning", "w"))],
      gives: { status: "False", severity: "Warning", reason: "w" },
    },
    {
      others: [condition("C", isFalse("Error", "c")), condition("B", isFalse("Error", "b"))],
      gives: { status: "False", reason: "b" },
    },
    { others: [condition("A"), condition("B", { status: "Unknown" })], gives: { status: "True" } },
    { others: [condition("B", { status: "Unknown" })], gives: { status: "Unknown" } },
    { others: [condition("A"), condition("Ready", isFalse("Error", "old"))], gives: { status: "True" } },
  ])("summarises $others", ({ others, gives }) =>
    expect(readySummary(others)).toMatchObject({ type: "Ready", ...gives }),
  );
  it("is nothing without others", () => expect(readySummary([condition("Ready")])).toBeUndefined());
  it("does not follow from a pause, before which nothing may ever have been made", () =>
    expect(readySummary([condition("Paused")])).toBeUndefined());
});

describe("asserting claims", () => {
  const claim: Claim = { type: "SubnetsReady", status: "True" };

  it("stamps whole seconds, puts Ready first and sorts the rest", () =>
    expect(assertConditions(undefined, [{ type: "VNetReady", status: "True" }, claim], now)).toEqual([
      { type: "Ready", status: "True", lastTransitionTime: "2026-11-30T16:26:23Z" },
      { type: "SubnetsReady", status: "True", lastTransitionTime: "2026-11-30T16:26:23Z" },
      { type: "VNetReady", status: "True", lastTransitionTime: "2026-11-30T16:26:23Z" },
    ]));

  it("takes another word on the next try alone for no transition", () => {
    const failing = (soon: string): Claim => ({
      type: "SubnetsReady",
      status: "False",
      severity: "Error",
      reason: "Failed",
      message: `no. Tried again within ${soon}.`,
    });
    const first = assertConditions(undefined, [failing("a minute")], now);
    const second = assertConditions(first, [failing("an hour")], later);
    expect(second).toEqual(
      first.map((one) => ({ ...(one as JsonObject), message: "no. Tried again within an hour." })),
    );
  });

  it("returns the same list when nothing changes", () => {
    const first = assertConditions(undefined, [claim], now);
    expect(assertConditions(first, [claim], later)).toBe(first);
    expect(assertConditions(first, [], later)).toBe(first);
  });

  it.each([
    { when: "status", to: isFalse("Error", "r") },
    { when: "reason", from: isFalse("Info", "q"), to: isFalse("Info", "r") },
    { when: "severity", from: isFalse("Info", "r"), to: isFalse("Error", "r") },
    { when: "message", from: { ...isFalse("Info", "r"), message: "a" }, to: { ...isFalse("Info", "r"), message: "b" } },
  ])("moves the time when the $when changes", ({ from = {}, to }) => {
    const old = assertConditions([condition("SubnetsReady", from)], [], now);
    const [, after] = assertConditions(old, [{ type: "SubnetsReady", ...to } as Claim], later);
    expect(after).toEqual({ type: "SubnetsReady", ...to, lastTransitionTime: later });
  });

  it("keeps what others assert, as it stands", () => {
    const foreign = condition("BackupReady", { status: "False", extra: 1 });
    expect(assertConditions([foreign], [claim], now)).toContain(foreign);
  });

  it("takes out what is retired", () =>
    expect(
      assertConditions([condition("VnetPeeringReady"), condition("Ready")], [claim], now, ["VnetPeeringReady"]).map(
        (it) => (it as JsonObject)["type"],
      ),
    ).toEqual(["Ready", "SubnetsReady"]));

  it("leaves out empty reasons and cuts endless messages", () => {
    const [, long] = assertConditions(
      [],
      [{ type: "X", status: "False", severity: "Error", reason: "r", message: "m".repeat(20_000) }],
      now,
    );
    expect(long).toMatchObject({ message: "m".repeat(10_240) });
    const [, empty] = assertConditions([], [{ type: "X", status: "True", reason: "", message: "" }], now);
    expect(empty).toEqual({ type: "X", status: "True", lastTransitionTime: "2026-11-30T16:26:23Z" });
  });

  it("takes any JSON for the old list, and settles after one step", () =>
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom("True", "Unknown"), (old, status) => {
        const first = assertConditions(old as Json, [{ type: "SubnetsReady", status } as Claim], now);
        expect(assertConditions(first, [{ type: "SubnetsReady", status } as Claim], later)).toBe(first);
      }),
    ));
});
