import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../../src/core/azureErrorCodes.ts";
import { classify, hintFor } from "../../src/core/azureErrors.ts";
import type { FailureClass, Json, JsonObject } from "../../src/core/types.ts";

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

describe("codes that only wrap", () => {
  it.each<{ readonly when: string; readonly status: number; readonly body: Json; readonly is: JsonObject }>([
    {
      when: "a code that nobody has seen is told, its wrapper gives the class",
      status: 429,
      body: error("RetryableError", "again", [{ code: "SomethingNew", message: "not yet" }]),
      is: { kind: "conflict", code: "SomethingNew" },
    },
    {
      when: "alone they are what there is",
      status: 409,
      body: error("Conflict", "taken"),
      is: { kind: "conflict", code: "Conflict" },
    },
    {
      when: "of several details the one that says something",
      status: 400,
      body: error("InvalidTemplateDeployment", "x", [
        { code: "Conflict", message: "c" },
        { code: "SkuNotAvailable", message: "s" },
      ]),
      is: { kind: "capacity", code: "SkuNotAvailable" },
    },
    {
      when: "the result of an operation, with capitals and text within text",
      status: 200,
      body: {
        Status: "Failed",
        Error: {
          Code: "ResourceGroupDeletionBlocked",
          Message: "Deletion of the group failed.",
          Details: [
            { Code: null, Message: '{"error":{"code":"InUseRouteTableCannotBeDeleted","message":"rt is in use"}}' },
          ],
        },
      },
      is: { kind: "dependency", code: "InUseRouteTableCannotBeDeleted" },
    },
    {
      when: "words of another client around the inner error",
      status: 400,
      body: error(
        "BadRequest",
        'StatusCode=403 -- Original Error: Code="LinkedAuthorizationFailed" Message="The client has no permission"',
      ),
      is: { kind: "auth", code: "LinkedAuthorizationFailed" },
    },
    {
      when: "JSON behind words",
      status: 409,
      body: error("Conflict", 'Call failed. Error: {"error":{"code":"ScopeLocked","message":"is locked"}}'),
      is: { kind: "policy", code: "ScopeLocked" },
    },
    {
      when: "the subcode of Azure Kubernetes Service",
      status: 400,
      body: { code: "BadRequest", subcode: "SubnetIsFull", message: "no address left", details: null },
      is: { kind: "quota", code: "SubnetIsFull" },
    },
    {
      when: "Entra ID's own form",
      status: 401,
      body: {
        error: "invalid_client",
        error_description: "AADSTS7000222: The provided client secret keys for app are expired.",
        error_codes: [7_000_222],
      },
      is: { kind: "auth", code: "AADSTS7000222" },
    },
    {
      when: "Entra ID's code within the words of Azure Kubernetes Service",
      status: 400,
      body: error("BadRequest", "AADSTS7000222: The provided client secret keys are expired."),
      is: { kind: "auth", code: "AADSTS7000222" },
    },
    {
      when: "an operation that ended without a reason",
      status: 200,
      body: { properties: { provisioningState: "Failed" } },
      is: { kind: "transient", code: "OperationFailed" },
    },
  ])("$when", ({ status, body, is }) => expect(classify(status, body)).toMatchObject(is));
});

// Today's wrong value stands in each: what the peers made of the same answer.
describe("faults of others", () => {
  it("A30: a cluster that is being updated refuses a PUT: waited for, not a broken spec", () => {
    const message =
      "Operation is not allowed because there's an in progress update managed cluster operation on the managed cluster.";
    const failure = classify(409, error("OperationNotAllowed", message));
    expect(failure.kind).toBe("conflict");
    expect(failure.kind).not.toBe("badConfiguration");
  });
  it.each(["ResourceNotFound", "ParentResourceNotFound", "ResourceGroupNotFound"])(
    "A39: %s is gone, also as the answer to a DELETE, and no error to retry for ever",
    (code) => {
      expect(classify(404, error(code)).kind).toBe("gone");
      expect(classify(404, error(code)).kind).not.toBe("transient");
    },
  );
  it.each([401, 403])("A39: %d is the identity's, so that a deletion says so and is not given up", (status) => {
    expect(classify(status, error("SomethingNew")).kind).toBe("auth");
  });
  it.each(["InUseSubnetCannotBeDeleted", "InUseNetworkSecurityGroupCannotBeDeleted", "PublicIPAddressCannotBeDeleted"])(
    "A42: %s waits for what is in use, seconds and not an hour",
    (code) => {
      const failure = classify(400, error(code, "x is still associated with y"));
      expect(failure.kind).toBe("dependency");
      expect(failure.kind).not.toBe("badConfiguration");
    },
  );
  it("A46: a lock is a policy; the message names its scope", () => {
    const scope = "/subscriptions/s/resourceGroups/net";
    const failure = classify(
      409,
      error(
        "ScopeLocked",
        `The scope cannot perform delete operation because following scope(s) are locked: '${scope}'.`,
      ),
    );
    expect(failure).toMatchObject({ kind: "policy", message: expect.stringContaining(scope) });
    expect(failure.kind).not.toBe("conflict");
  });
  it("A64: a failed provisioning state passes; it is no end", () => {
    const failure = classify(200, { properties: { provisioningState: "Failed" } });
    expect(failure.kind).toBe("transient");
    expect(failure.kind).not.toBe("badConfiguration");
  });
  it.each(["OSProvisioningTimedOut", "VMStartTimedOut", "VMExtensionProvisioningTimeout"])(
    "A64: %s may yet end well: five minutes pass before anything is sent again",
    (code) => expect(errorCodes.get(code)).toMatchObject({ kind: "transient", pace: { firstSeconds: 300 } }),
  );
  it.each(["PlatformImageNotFound", "GalleryImageNotFound"])(
    "A72: %s is the spec's, and tried again slowly",
    (code) => {
      const failure = classify(404, error(code, "not available in northcentralus"));
      expect(failure.kind).toBe("badConfiguration");
      expect(failure.kind).not.toBe("gone");
      expect(errorCodes.get(code)?.pace?.firstSeconds).toBeGreaterThanOrEqual(900);
    },
  );
  it.each(["AADSTS70021", "AADSTS700213"])("A83: %s says what to compare", (code) => {
    expect(
      classify(400, {
        error: "invalid_request",
        error_description: `${code}: No matching federated identity record found.`,
      }),
    ).toMatchObject({ kind: "auth", code });
    expect(hintFor(code)).toMatch(/subject/);
  });
  it("A86: not every 409 is retried soon, and a 429 may be a neighbour's write", () => {
    expect(classify(409, error("ScopeLocked")).kind).not.toBe("conflict");
    expect(classify(409, error("MissingSubscriptionRegistration")).kind).toBe("badConfiguration");
    expect(classify(429, error("AnotherOperationInProgress")).kind).toBe("conflict");
    expect(classify(429, error("AnotherOperationInProgress")).kind).not.toBe("throttled");
  });
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
