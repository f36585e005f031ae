import { describe, expect, it } from "vitest";
import { type Header, refusalOf, remainingOf, retryAfterIn } from "../../src/core/armLimits.ts";

const headersOf =
  (headers: Readonly<Record<string, string>>): Header =>
  (name) =>
    headers[name];
const nowMs = Date.parse("2026-01-01T00:00:00Z");
const refused = (headers: Readonly<Record<string, string>>) =>
  refusalOf(429, { error: { code: "SubscriptionRequestsThrottled", message: "too many" } }, headersOf(headers), nowMs);

describe("what headers say of the rest", () => {
  it.each([
    { when: "nothing", headers: {}, rest: undefined },
    { when: "reads", headers: { "x-ms-ratelimit-remaining-subscription-reads": "249" }, rest: { whole: 249 } },
    { when: "writes", headers: { "x-ms-ratelimit-remaining-subscription-writes": "0" }, rest: { whole: 0 } },
    { when: "deletes", headers: { "x-ms-ratelimit-remaining-subscription-deletes": "14998" }, rest: { whole: 14_998 } },
    { when: "a tenant's", headers: { "x-ms-ratelimit-remaining-tenant-reads": "7" }, rest: { whole: 7 } },
    {
      when: "the own number and the lower one of all principals",
      headers: {
        "x-ms-ratelimit-remaining-subscription-writes": "199",
        "x-ms-ratelimit-remaining-subscription-global-writes": "12",
      },
      rest: { whole: 12 },
    },
    {
      when: "policies of a provider, the scarcest of them",
      headers: {
        "x-ms-ratelimit-remaining-resource": "Microsoft.Compute/GetVM3Min;197,Microsoft.Compute/GetVM30Min;3",
      },
      rest: { resource: 3 },
    },
    {
      when: "something unreadable",
      headers: { "x-ms-ratelimit-remaining-subscription-reads": "many", "x-ms-ratelimit-remaining-resource": "x;y,z" },
      rest: undefined,
    },
  ])("$when", ({ headers, rest }) => expect(remainingOf(headersOf({ ...headers }))).toEqual(rest));
});

describe("Retry-After in all its forms", () => {
  it.each([
    { when: "seconds", headers: { "retry-after": "17" }, seconds: 17 },
    { when: "a fraction", headers: { "retry-after": "1.2" }, seconds: 2 },
    { when: "a date", headers: { "retry-after": "Thu, 01 Jan 2026 00:01:30 GMT" }, seconds: 90 },
    { when: "a date that has passed", headers: { "retry-after": "Wed, 31 Dec 2025 23:00:00 GMT" }, seconds: 0 },
    { when: "milliseconds, which are finer", headers: { "retry-after": "5", "retry-after-ms": "1500" }, seconds: 2 },
    { when: "Azure's own milliseconds", headers: { "x-ms-retry-after-ms": "2500" }, seconds: 3 },
    { when: "more than anybody waits", headers: { "retry-after": "86400" }, seconds: 3_600 },
    { when: "no time at all", headers: { "retry-after": "soon" }, seconds: undefined },
    { when: "nothing", headers: {}, seconds: undefined },
  ])("$when: $seconds", ({ headers, seconds }) => expect(refused({ ...headers }).retryAfterSeconds).toBe(seconds));

  it("is passed on as it is when it is no number", () =>
    expect(retryAfterIn(headersOf({ "retry-after": " Thu, 01 Jan 2026 00:01:30 GMT " }))).toBe(
      "Thu, 01 Jan 2026 00:01:30 GMT",
    ));
});

it("a refusal carries Azure's ids and what is left, and stays what its code makes it", () =>
  expect(
    refused({
      "x-ms-request-id": "request-1",
      "x-ms-correlation-request-id": "correlation-1",
      "x-ms-ratelimit-remaining-subscription-writes": "0",
      "retry-after": "1",
    }),
  ).toEqual({
    kind: "throttled",
    code: "SubscriptionRequestsThrottled",
    message: "too many",
    status: 429,
    retryAfterSeconds: 1,
    remaining: { whole: 0 },
    requestId: "request-1",
    correlationId: "correlation-1",
  }));
