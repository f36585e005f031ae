import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../src/core/azureErrorCodes.ts";
import { classify, hintFor } from "../../src/core/azureErrors.ts";
import type { FailureClass, Json } from "../../src/core/types.ts";

const error = (code: string, message = "", details?: readonly Json[]): Json => ({
  error: { code, message, ...(details !== undefined && { details }) },
});

// Codes seen in public reports and recordings; the letter-number is the entry in the list of known faults.
describe("class of an answer", () => {
  it.each<{ readonly status: number; readonly body: Json; readonly kind: FailureClass; readonly code: string }>([
    { status: 409, body: error("AnotherOperationInProgress"), kind: "conflict", code: "AnotherOperationInProgress" },
    {
      status: 429,
      body: error("RetryableError", "", [{ code: "ReferencedResourceNotProvisioned", message: "x" }]),
      kind: "conflict",
      code: "ReferencedResourceNotProvisioned",
    },
    { status: 400, body: error("InUseSubnetCannotBeDeleted"), kind: "dependency", code: "InUseSubnetCannotBeDeleted" },
    { status: 400, body: error("NicInUse"), kind: "dependency", code: "NicInUse" },
    {
      status: 400,
      body: error("PublicIPAddressCannotBeDeleted"),
      kind: "dependency",
      code: "PublicIPAddressCannotBeDeleted",
    },
    { status: 400, body: error("NicReservedForAnotherVm"), kind: "dependency", code: "NicReservedForAnotherVm" },
    {
      status: 400,
      body: error("InvalidResourceReference"),
      kind: "badConfiguration",
      code: "InvalidResourceReference",
    },
    { status: 400, body: error("NetcfgInvalidSubnet"), kind: "badConfiguration", code: "NetcfgInvalidSubnet" },
    { status: 409, body: error("ResourceGroupBeingDeleted"), kind: "conflict", code: "ResourceGroupBeingDeleted" },
    { status: 404, body: error("ResourceGroupNotFound"), kind: "gone", code: "ResourceGroupNotFound" },
    { status: 404, body: error("ParentResourceNotFound"), kind: "gone", code: "ParentResourceNotFound" },
    { status: 404, body: error("PlatformImageNotFound"), kind: "badConfiguration", code: "PlatformImageNotFound" },
    { status: 404, body: error("GalleryImageNotFound"), kind: "badConfiguration", code: "GalleryImageNotFound" },
    // A67: quota only by its words.
    {
      status: 409,
      body: error(
        "OperationNotAllowed",
        "Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Current Limit: 50, Current Usage: 50",
      ),
      kind: "quota",
      code: "OperationNotAllowed",
    },
    {
      status: 409,
      body: error("OperationNotAllowed", "The VM is being deallocated"),
      kind: "conflict",
      code: "OperationNotAllowed",
    },
    { status: 409, body: error("SkuNotAvailable"), kind: "capacity", code: "SkuNotAvailable" },
    {
      status: 200,
      body: { status: "Failed", error: { code: "AllocationFailed", message: "m" } },
      kind: "capacity",
      code: "AllocationFailed",
    },
    {
      status: 200,
      body: { status: "Failed", error: { code: "OverconstrainedZonalAllocationRequest", message: "m" } },
      kind: "capacity",
      code: "OverconstrainedZonalAllocationRequest",
    },
    { status: 403, body: error("RequestDisallowedByPolicy"), kind: "policy", code: "RequestDisallowedByPolicy" },
    { status: 409, body: error("ScopeLocked"), kind: "policy", code: "ScopeLocked" },
    { status: 403, body: error("AuthorizationFailed"), kind: "auth", code: "AuthorizationFailed" },
    { status: 400, body: error("LinkedAuthorizationFailed"), kind: "auth", code: "LinkedAuthorizationFailed" },
    { status: 400, body: error("AADSTS70021"), kind: "auth", code: "AADSTS70021" },
    {
      status: 409,
      body: error("MissingSubscriptionRegistration"),
      kind: "badConfiguration",
      code: "MissingSubscriptionRegistration",
    },
    {
      status: 429,
      body: error("SubscriptionRequestsThrottled"),
      kind: "throttled",
      code: "SubscriptionRequestsThrottled",
    },
    { status: 409, body: error("DeploymentActive"), kind: "conflict", code: "DeploymentActive" },
    {
      status: 400,
      body: error("AtleastOneIpV4RequiredForIpV6LbFrontendIpConfiguration"),
      kind: "badConfiguration",
      code: "AtleastOneIpV4RequiredForIpV6LbFrontendIpConfiguration",
    },
    // Codes that nobody has seen leave it to the status.
    { status: 412, body: error("SomethingNew"), kind: "conflict", code: "SomethingNew" },
    { status: 503, body: error("SomethingNew"), kind: "transient", code: "SomethingNew" },
    { status: 400, body: error("SomethingNew"), kind: "badConfiguration", code: "SomethingNew" },
    { status: 401, body: null, kind: "auth", code: "Http401" },
    { status: 404, body: null, kind: "gone", code: "Http404" },
    { status: 429, body: null, kind: "throttled", code: "Http429" },
    { status: 502, body: "<html>", kind: "transient", code: "Http502" },
  ])("$status $code is $kind", ({ status, body, kind, code }) =>
    expect(classify(status, body)).toMatchObject({ kind, code, status }),
  );
});

describe("the innermost known code decides", () => {
  it("through several wrappers, one of them text", () => {
    const inner = JSON.stringify(error("PreconditionFailed", "stale"));
    const body = error("DeploymentFailed", "At least one operation failed.", [{ code: "BadRequest", message: inner }]);
    expect(classify(400, body)).toMatchObject({
      kind: "conflict",
      code: "PreconditionFailed",
      message: "At least one operation failed. stale",
    });
  });
  it("and not one that only repeats the status", () =>
    expect(
      classify(409, error("AnotherOperationInProgress", "busy", [{ code: "Unknown1", message: "detail" }])),
    ).toMatchObject({
      code: "AnotherOperationInProgress",
      message: "busy detail",
    }));
});

describe("Retry-After", () => {
  it.each([
    { retryAfter: "17", seconds: 17 },
    { retryAfter: "Mon, 30 Nov 2026 16:00:30 GMT", seconds: 30 },
    { retryAfter: "Mon, 30 Nov 2026 15:00:00 GMT", seconds: 0 },
    { retryAfter: "soon", seconds: undefined },
  ])("$retryAfter is $seconds s", ({ retryAfter, seconds }) =>
    expect(classify(429, null, { retryAfter, nowMs: Date.UTC(2026, 10, 30, 16) }).retryAfterSeconds).toBe(seconds),
  );
});

describe("any body", () => {
  it("gives a failure, never an exception", () =>
    fc.assert(
      fc.property(fc.integer({ min: 400, max: 599 }), fc.jsonValue(), (status, body) => {
        const failure = classify(status, body as Json);
        expect(failure.code).not.toBe("");
        expect(failure.message).not.toBe("");
      }),
    ));
  it("may nest without end", () => {
    const nested = Array.from({ length: 500 }).reduce<Json>(
      (inner) => ({ code: "Wrap", message: "", details: [inner] }),
      null,
    );
    expect(classify(400, { error: nested }).code).toBe("Wrap");
  });
});

it("has a hint for whoever must act on policy and quota", () => {
  const silent = [...errorCodes].filter(
    ([code, { kind }]) => (kind === "policy" || kind === "quota") && hintFor(code) === undefined,
  );
  expect(silent).toEqual([]);
});
