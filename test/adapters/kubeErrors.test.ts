import { describe, expect, it } from "vitest";
import { kubeFailure, noKubeAnswer } from "../../src/adapters/kubeErrors.ts";

const subject = { plural: "azureclusters", name: "demo" };
const status = (body: object): string =>
  JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", ...body });

describe("kubeFailure", () => {
  it.each([
    {
      when: "the object itself is missing",
      status: 404,
      text: status({ reason: "NotFound", message: "not found", details: { name: "demo", kind: "azureclusters" } }),
      expected: { kind: "gone", code: "NotFound" },
    },
    {
      when: "its namespace is missing",
      status: 404,
      text: status({ reason: "NotFound", message: "no namespace", details: { name: "demo", kind: "namespaces" } }),
      expected: { kind: "dependency", code: "KindOrNamespaceNotFound" },
    },
    {
      when: "another object of the kind is missing",
      status: 404,
      text: status({ reason: "NotFound", details: { name: "other", kind: "azureclusters" } }),
      expected: { kind: "dependency" },
    },
    { when: "its kind is not served", status: 404, text: "404 page not found\n", expected: { kind: "dependency" } },
    {
      when: "somebody else wrote first",
      status: 409,
      text: status({ reason: "Conflict", message: "the object has been modified" }),
      expected: { kind: "conflict", code: "Conflict" },
    },
    {
      when: "another manager owns a field",
      status: 409,
      text: status({ reason: "Conflict", details: { causes: [{ reason: "FieldManagerConflict" }] } }),
      expected: { kind: "conflict", code: "FieldManagerConflict" },
    },
    {
      when: "another object stands under the name",
      status: 409,
      text: status({ reason: "Conflict", message: "uid mismatch: the provided object specified uid a" }),
      expected: { kind: "conflict", code: "UidMismatch" },
    },
    {
      when: "another object has the name now",
      status: 422,
      text: status({
        reason: "Invalid",
        details: { causes: [{ reason: "FieldValueInvalid", field: "metadata.uid" }] },
      }),
      expected: { kind: "conflict", code: "UidMismatch" },
    },
    {
      when: "a value is refused",
      status: 422,
      text: status({ reason: "Invalid", message: "spec.x: Invalid value" }),
      expected: { kind: "badConfiguration", code: "Invalid", message: "spec.x: Invalid value" },
    },
    {
      when: "the credential is unknown",
      status: 401,
      text: status({ reason: "Unauthorized" }),
      expected: { kind: "auth" },
    },
    {
      when: "the verb is not allowed",
      status: 403,
      text: status({ reason: "Forbidden", message: "cannot get" }),
      expected: { kind: "auth", code: "Forbidden" },
    },
    {
      when: "it is too busy",
      status: 429,
      text: status({ reason: "TooManyRequests", details: { retryAfterSeconds: 3 } }),
      expected: { kind: "transient", retryAfterSeconds: 3 },
    },
    {
      when: "a proxy in between is down",
      status: 503,
      text: "<html>",
      expected: { kind: "transient", code: "Http503" },
    },
    {
      when: "a continue token is too old",
      status: 410,
      text: status({ reason: "Expired" }),
      expected: { code: "Expired" },
    },
    {
      when: "the schema lacks a field",
      status: 500,
      text: status({ message: "failed to create typed patch object: .spec.x: field not declared in schema" }),
      expected: { kind: "badConfiguration", code: "UnknownField" },
    },
  ])("$when -> $expected", ({ status: code, text, expected }) => {
    expect(kubeFailure({ status: code, text }, subject)).toMatchObject({ ...expected, status: code });
  });

  it("never finds a list gone", () => {
    const text = status({ reason: "NotFound", details: { kind: "azureclusters" } });
    expect(kubeFailure({ status: 404, text }, { plural: "azureclusters" }).kind).toBe("dependency");
  });
  it("takes Retry-After from the header when the body has none", () => {
    expect(kubeFailure({ status: 503, text: "", retryAfter: "7" }, subject).retryAfterSeconds).toBe(7);
  });
});

describe("noKubeAnswer", () => {
  it("has no status and quotes only the cause's code", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED 10.1.2.3:6443"), { code: "ECONNREFUSED" });
    const failure = noKubeAnswer(new TypeError("fetch failed", { cause }));
    expect(failure).toEqual({
      kind: "transient",
      code: "NoAnswer",
      message: "no answer from the API server (ECONNREFUSED)",
    });
  });
});
