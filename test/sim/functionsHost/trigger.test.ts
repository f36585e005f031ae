import { describe, expect, it } from "vitest";
import type { RegisteredFunction } from "../../../src/sim/functionsHost/functionsCore.ts";
import type { Binding } from "../../../src/sim/functionsHost/rpc.ts";
import { parseTrigger } from "../../../src/sim/functionsHost/trigger.ts";

const settings = { QUEUE: "reconcile", Bus: "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=b" };
const aFunction = (trigger: Partial<Binding>, ...others: readonly Binding[]): RegisteredFunction => ({
  name: "f",
  metadata: { name: "f", bindings: {} },
  bindings: [{ name: "in", direction: "in", type: "none", ...trigger }, ...others],
  callback: () => undefined,
});
const queue = { type: "serviceBusTrigger", queueName: "%QUEUE%", connection: "Bus" };

describe("parseTrigger", () => {
  it("resolves queue and connection", () =>
    expect(parseTrigger(aFunction(queue), settings)).toEqual({
      kind: "ok",
      value: {
        kind: "serviceBusQueue",
        binding: "in",
        queue: "reconcile",
        connectionString: settings.Bus,
        autoCompleteMessages: undefined,
      },
    }));

  it("takes the function's name as its route and every method by default", () => {
    const http = { type: "httpTrigger", authLevel: "admin" };
    const response = { name: "$return", direction: "out", type: "http" };
    expect(parseTrigger(aFunction(http, response), settings)).toMatchObject({
      kind: "ok",
      value: { kind: "http", template: "f", authLevel: "admin", methods: expect.arrayContaining(["GET", "PUT"]) },
    });
  });

  it.each([
    { trigger: { ...queue, queueName: "%NONE%" }, problems: ['setting NONE, named in "%NONE%", is missing'] },
    { trigger: { ...queue, connection: "Other" }, problems: ["setting Other, the connection, is missing"] },
    { trigger: { ...queue, connection: "QUEUE" }, problems: ["setting QUEUE is not a connection string"] },
    { trigger: { ...queue, queueName: undefined }, problems: ["queueName is not text"] },
    {
      trigger: { ...queue, isSessionsEnabled: true, sdkBinding: true, cardinality: "many" },
      problems: [
        "sessions are not supported by this host",
        "sdkBinding is not supported by this host",
        'cardinality "many" is not supported by this host',
      ],
    },
    { trigger: { type: "timerTrigger", schedule: "often" }, problems: ['"often" is not an NCRONTAB expression'] },
    { trigger: { type: "httpTrigger", authLevel: "owner" }, problems: ['authLevel "owner" is unknown'] },
    { trigger: { type: "blobTrigger" }, problems: ["blobTrigger is not supported by this host"] },
    { trigger: { type: "http" }, problems: ["has no trigger"] },
  ])("refuses $trigger: $problems", ({ trigger, problems }) =>
    expect(parseTrigger(aFunction(trigger), settings)).toEqual({
      kind: "problems",
      problems: problems.map((text) => `function f: ${text}`),
    }),
  );

  it("refuses bindings that nothing would serve", () =>
    expect(parseTrigger(aFunction(queue, { name: "o", direction: "out", type: "serviceBus" }), settings)).toEqual({
      kind: "problems",
      problems: ["function f: binding serviceBus is not supported by this host"],
    }));
});
