import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseHostJson } from "../../../src/sim/functionsHost/hostJson.ts";

describe("parseHostJson", () => {
  it("gives the defaults of the host", () =>
    expect(parseHostJson({ version: "2.0" })).toEqual({
      kind: "ok",
      value: {
        routePrefix: "api",
        functionTimeoutMs: 1_800_000,
        serviceBus: { autoCompleteMessages: true, maxConcurrentCalls: 16, maxAutoLockRenewalMs: 300_000 },
      },
    }));

  it("reads the host.json of this project", () => {
    const json: unknown = JSON.parse(readFileSync(new URL("../../../host.json", import.meta.url), "utf8"));
    expect(parseHostJson(json)).toEqual({
      kind: "ok",
      value: {
        routePrefix: "api",
        functionTimeoutMs: 300_000,
        serviceBus: { autoCompleteMessages: true, maxConcurrentCalls: 8, maxAutoLockRenewalMs: 300_000 },
      },
    });
  });

  it("knows no limit", () =>
    expect(parseHostJson({ version: "2.0", functionTimeout: "-1" })).toMatchObject({
      kind: "ok",
      value: { functionTimeoutMs: undefined },
    }));

  it("lists all that is wrong", () =>
    expect(
      parseHostJson({
        version: "2.0",
        functionTimeout: "soon",
        extensions: {
          http: { routePrefix: 7 },
          serviceBus: { prefetchCount: 10, maxConcurrentCalls: 0, maxAutoLockRenewalDuration: "-01:00:00" },
        },
      }),
    ).toEqual({
      kind: "problems",
      problems: [
        "host.json: functionTimeout is not a time span",
        "host.json: extensions.serviceBus.maxAutoLockRenewalDuration is not a time span",
        "host.json: extensions.serviceBus.maxConcurrentCalls is not a whole number from 1 on",
        "host.json: extensions.serviceBus.prefetchCount is not 0: the JavaScript client cannot prefetch",
        "host.json: extensions.http.routePrefix is not text",
      ],
    }));

  it.each([null, [], "x", {}, { version: "1.0" }])("refuses %j", (json) =>
    expect(parseHostJson(json)).toEqual({ kind: "problems", problems: ['host.json: version is not "2.0"'] }),
  );
});
