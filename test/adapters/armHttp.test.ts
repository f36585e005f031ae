import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { HttpClient } from "@azure/core-rest-pipeline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { armOver } from "../../src/adapters/arm.ts";
import { openArmHttp } from "../../src/adapters/armHttp.ts";
import { type ArmToken, armToken } from "../../src/adapters/armToken.ts";
import { localTransport } from "../../src/adapters/armTransport.ts";
import { clouds } from "../../src/adapters/clouds.ts";
import type { Operation } from "../../src/core/types.ts";
import type { Arm, ArmAnswer, Fields } from "../../src/ports.ts";
import { must } from "../support/contracts/must.ts";

/** What the server says next, and what it was asked. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
let answers: Answer[] = [];
let asked: { readonly method: string; readonly url: string; readonly headers: IncomingMessage["headers"] }[] = [];
let logged: { readonly message: string; readonly fields: Fields }[] = [];

const server = createServer((request: IncomingMessage, response: ServerResponse) => {
  asked.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers });
  const { status, headers = {}, body } = answers.shift() ?? { status: 500 };
  response.writeHead(status, headers);
  response.end(body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body));
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  answers = [];
  asked = [];
  logged = [];
});

let tokens = 0;
const connect = async (...next: readonly Answer[]): Promise<Arm> => {
  answers = [...next];
  tokens = 0;
  const getToken = () => {
    tokens += 1;
    return Promise.resolve({ token: `token-${tokens}`, expiresOnTimestamp: Date.now() + 3_600_000 });
  };
  const http = await openArmHttp({
    cloud: clouds.AzurePublicCloud,
    token: armToken({ getToken }, "scope"),
    userAgent: "capstan/9.9.9",
    transport: await localTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    log: (_level, message, fields = {}) => logged.push({ message, fields }),
  });
  return armOver(http);
};

const target = { path: "/subscriptions/s/resourceGroups/g", apiVersion: "2025-04-01" };
const put = { method: "PUT", ...target, body: { location: "x" } } as const;
const place = "https://management.azure.com/subscriptions/s/operations/1?api-version=1&s=sig";
const elsewhere = "https://evil.example/subscriptions/s/operations/1";

describe("one request", () => {
  it("says who asks and names itself by a fresh id", async () => {
    const arm = await connect({ status: 200, body: { id: "g" } }, { status: 200, body: { id: "g" } });
    const answer = must(await arm.send({ ...put, ifMatch: "e", query: { a: "b" } }));
    await arm.send({ ...put, ifNoneMatch: "*" });
    const [first, second] = asked.map(({ headers }) => headers);
    expect(asked[0]).toMatchObject({ method: "PUT", url: `${target.path}?a=b&api-version=2025-04-01` });
    expect(first).toMatchObject({
      authorization: "Bearer token-1",
      "content-type": "application/json",
      "if-match": "e",
      "x-ms-correlation-request-id": answer.correlationId,
    });
    expect(first?.["user-agent"]).toMatch(/^capstan\/9\.9\.9 /);
    expect(second).toMatchObject({ "if-none-match": "*", authorization: "Bearer token-1" });
    expect(second?.["x-ms-correlation-request-id"]).not.toBe(answer.correlationId);
  });

  it.each([
    { when: "a header", headers: { etag: 'W/"1"' }, body: { etag: "2" }, etag: 'W/"1"' },
    { when: "the body", headers: {}, body: { etag: "2" }, etag: "2" },
    { when: "nowhere", headers: {}, body: {}, etag: undefined },
  ])("takes the etag from $when", async ({ headers, body, etag }) => {
    const arm = await connect({ status: 200, headers, body });
    expect(must(await arm.send({ method: "GET", ...target })).etag).toBe(etag);
  });

  it("fetches another token after a 401, but does not ask twice", async () => {
    const arm = await connect(
      { status: 401, body: { error: { code: "ExpiredAuthenticationToken" } } },
      { status: 200 },
    );
    expect(await arm.send({ method: "GET", ...target })).toMatchObject({ error: { kind: "auth", status: 401 } });
    expect(asked).toHaveLength(1);
    await arm.send({ method: "GET", ...target });
    expect(asked[1]?.headers.authorization).toBe("Bearer token-2");
  });

  it.each([301, 302, 303, 307, 308])("follows no redirect (%i)", async (status) => {
    const arm = await connect(
      { status, headers: { location: elsewhere } },
      { status, headers: { location: "https://management.azure.com/x" } },
    );
    expect(await arm.send({ method: "GET", ...target })).toMatchObject({ error: { code: "UntrustedUrl" } });
    expect(await arm.send({ method: "GET", ...target })).toMatchObject({ error: { code: "Redirected" } });
    expect(asked).toHaveLength(2);
  });

  it("takes an answer that is no JSON for none", async () => {
    const arm = await connect({ status: 200, body: "<html>" });
    const answer = await arm.send(put);
    expect(answer).toMatchObject({ ok: false, error: { kind: "transient", code: "UnreadableAnswer" } });
    expect(!answer.ok && "status" in answer.error).toBe(false);
  });

  it.each([404, 410])("takes a page that is no JSON for no answer about what is there (%i)", async (status) => {
    const page = { status, headers: { "content-type": "text/html" }, body: "<html>not found</html>" };
    const arm = await connect(page, page, { status });
    for (const method of ["GET", "DELETE"] as const) {
      const answer = await arm.send({ method, ...target });
      expect(answer).toMatchObject({ ok: false, error: { kind: "transient", code: "UnreadableAnswer" } });
      expect(!answer.ok && "status" in answer.error).toBe(false);
    }
    expect(await arm.send({ method: "GET", ...target })).toMatchObject({ ok: false, error: { kind: "gone", status } });
  });

  it("logs neither query nor body nor token", async () => {
    const arm = await connect({ status: 200, body: { status: "Succeeded" } });
    const operation: Operation = { verb: "PUT", style: "asyncOperation", url: place, startedMs: 0, notBeforeMs: 0 };
    await arm.poll(operation, target);
    expect(logged).toHaveLength(1);
    expect(logged[0]?.fields["url"]).toBe("https://management.azure.com/subscriptions/s/operations/1");
    expect(JSON.stringify(logged)).not.toMatch(/sig|token-1/);
  });
});

describe("long-running operations", () => {
  const begun = async (method: "PUT" | "PATCH" | "DELETE" | "POST", answer: Answer): Promise<ArmAnswer> => {
    const arm = await connect(answer);
    return must(await arm.send({ method, ...target, ...(method === "DELETE" ? {} : { body: {} }) }));
  };
  const working = { properties: { provisioningState: "Updating" } };
  const settled = { properties: { provisioningState: "Succeeded" } };

  it.each([
    {
      when: "both links are there",
      method: "PUT",
      answer: { status: 201, headers: { "azure-asyncoperation": place, location: "/x" }, body: settled },
      operation: { style: "asyncOperation", url: place, notBeforeMs: 1_000 },
    },
    {
      when: "a 202 names a relative location",
      method: "DELETE",
      answer: { status: 202, headers: { location: "/subscriptions/s/r?x=1", "retry-after": "15" } },
      operation: { style: "location", url: "https://management.azure.com/subscriptions/s/r?x=1", notBeforeMs: 15_000 },
    },
    {
      when: "a 201 names the resource",
      method: "PUT",
      answer: { status: 201, headers: { location: "/subscriptions/s/r" }, body: settled },
      operation: undefined,
    },
    {
      when: "only the body tells",
      method: "PUT",
      answer: { status: 200, body: working },
      operation: { style: "resource" },
    },
    { when: "it was done at once", method: "PATCH", answer: { status: 200, body: settled }, operation: undefined },
    {
      when: "a bare 202 follows a DELETE",
      method: "DELETE",
      answer: { status: 202 },
      operation: { style: "resource" },
    },
    { when: "a bare 202 follows a POST", method: "POST", answer: { status: 202 }, operation: undefined },
    { when: "a DELETE is done", method: "DELETE", answer: { status: 204 }, operation: undefined },
    {
      when: "Azure wants an hour",
      method: "PUT",
      answer: { status: 202, headers: { location: "/x", "retry-after": "3600" } },
      operation: { notBeforeMs: 600_000 },
    },
    {
      when: "Retry-After is a date",
      method: "PUT",
      answer: {
        status: 202,
        headers: {
          location: "/x",
          date: "Wed, 21 Oct 2026 07:28:00 GMT",
          "retry-after": "Wed, 21 Oct 2026 07:28:20 GMT",
        },
      },
      operation: { notBeforeMs: 20_000 },
    },
  ] as const)("begin when $when", async ({ method, answer, operation }) => {
    const { operation: found } = await begun(method, answer);
    if (operation === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject({ verb: method, startedMs: 0, ...operation });
  });

  it.each(["azure-asyncoperation", "location"])("do not begin at a foreign place (%s)", async (header) => {
    const arm = await connect({ status: 202, headers: { [header]: elsewhere } });
    const answer = await arm.send(put);
    expect(answer).toMatchObject({ ok: false, error: { code: "UntrustedUrl" } });
    // The write may have happened: it has to be looked at, as one without an answer.
    expect(!answer.ok && "status" in answer.error).toBe(false);
  });

  it("have failed when Azure answers with a failed resource", async () => {
    const arm = await connect({ status: 200, body: { properties: { provisioningState: "Failed" } } });
    expect(await arm.send(put)).toMatchObject({ ok: false, error: { code: "OperationFailed", status: 200 } });
  });

  const error = { code: "Outer", message: "o", details: [{ code: "QuotaExceeded", message: "cores" }] };
  it.each([
    { style: "asyncOperation", status: 200, body: { status: "InProgress" }, expected: { kind: "running" } },
    { style: "asyncOperation", status: 202, body: undefined, expected: { kind: "running", retryAfterSeconds: 5 } },
    { style: "asyncOperation", status: 200, body: { status: "succeeded" }, expected: { kind: "succeeded" } },
    { style: "asyncOperation", status: 204, body: undefined, expected: { kind: "succeeded", body: null } },
    {
      style: "asyncOperation",
      status: 200,
      body: { status: "Failed", error },
      expected: { kind: "failed", failure: { kind: "quota", code: "QuotaExceeded" } },
    },
    {
      style: "asyncOperation",
      status: 200,
      body: { status: "Canceled" },
      expected: { kind: "failed", failure: { kind: "transient", code: "Canceled" } },
    },
    { style: "asyncOperation", status: 404, body: { error }, expected: { kind: "unknown" } },
    { style: "asyncOperation", status: 410, body: { error }, expected: { kind: "unknown" } },
    { style: "location", status: 202, body: undefined, expected: { kind: "running" } },
    { style: "location", status: 200, body: settled, expected: { kind: "succeeded", body: settled } },
    { style: "location", status: 200, body: working, expected: { kind: "running" } },
    { style: "location", status: 204, body: undefined, expected: { kind: "succeeded" } },
    { style: "location", status: 404, body: { error }, expected: { kind: "unknown" } },
    {
      style: "location",
      status: 409,
      body: { error },
      expected: { kind: "failed", failure: { code: "QuotaExceeded" } },
    },
    { style: "resource", status: 200, body: working, expected: { kind: "running" } },
    { style: "resource", status: 200, body: settled, expected: { kind: "succeeded" } },
    { style: "resource", status: 404, body: { error }, expected: { kind: "unknown" } },
  ] as const)("$style, $status $body -> $expected", async ({ style, status, body, expected }) => {
    const arm = await connect({ status, body });
    const operation = {
      verb: "PUT",
      style,
      startedMs: 7,
      notBeforeMs: 9,
      ...(style !== "resource" && { url: place }),
    } as const;
    expect(must(await arm.poll(operation, target))).toMatchObject(expected);
    expect(asked[0]?.url).toBe(
      style === "resource" ? `${target.path}?api-version=2025-04-01` : new URL(place).pathname + new URL(place).search,
    );
  });

  it.each([
    { status: 200, body: settled, expected: { kind: "running" } },
    { status: 200, body: { properties: { provisioningState: "Failed" } }, expected: { kind: "failed" } },
    { status: 404, body: { error }, expected: { kind: "succeeded", body: null } },
  ])("a watched DELETE: $status $body -> $expected", async ({ status, body, expected }) => {
    const arm = await connect({ status, body });
    const operation = { verb: "DELETE", style: "resource", startedMs: 0, notBeforeMs: 0 } as const;
    expect(must(await arm.poll(operation, target))).toMatchObject(expected);
  });

  it.each([401, 403, 408, 429, 500, 503])("go on when the poll itself is answered with %i", async (status) => {
    const arm = await connect({ status, headers: { "retry-after": "4" }, body: { error } });
    const operation = { verb: "PUT", style: "asyncOperation", url: place, startedMs: 0, notBeforeMs: 0 } as const;
    expect(await arm.poll(operation, target)).toMatchObject({ ok: false, error: { status, retryAfterSeconds: 4 } });
  });

  it("follow a place that moves, but not to strangers", async () => {
    const next = "https://management.azure.com/subscriptions/s/operations/2";
    const arm = await connect(
      { status: 202, headers: { location: next, "retry-after": "3" } },
      { status: 202, headers: { location: elsewhere } },
    );
    const operation = { verb: "PUT", style: "location", url: place, startedMs: 7, notBeforeMs: 9 } as const;
    expect(must(await arm.poll(operation, target))).toEqual({
      kind: "running",
      operation: { verb: "PUT", style: "location", url: next, startedMs: 7, notBeforeMs: 3_000 },
      retryAfterSeconds: 3,
    });
    expect(await arm.poll(operation, target)).toMatchObject({ ok: false, error: { code: "UntrustedUrl" } });
  });

  it("are not polled at a foreign place, wherever it was remembered", async () => {
    const arm = await connect({ status: 200, body: { status: "Succeeded" } });
    const operation = { verb: "PUT", style: "location", url: elsewhere, startedMs: 0, notBeforeMs: 0 } as const;
    expect(await arm.poll(operation, target)).toMatchObject({ ok: false, error: { code: "UntrustedUrl" } });
    expect(asked).toHaveLength(0);
  });
});

describe("the time of a request", () => {
  const connectBy = async (token: ArmToken, limitMs: number, transport: HttpClient) =>
    armOver(
      await openArmHttp({
        cloud: clouds.AzurePublicCloud,
        token,
        userAgent: "capstan/9.9.9",
        transport,
        log: () => {},
        limitMs,
      }),
    );

  it("is one for its token and its answer, so that a request that began in time ends before the lease", async () => {
    const signals: unknown[] = [];
    const arm = await connectBy(
      {
        get: (cut) => {
          signals.push(cut);
          return Promise.resolve({ ok: true, value: "t" });
        },
        drop: () => {},
      },
      60_000,
      {
        sendRequest: ({ abortSignal }) => {
          signals.push(abortSignal);
          return Promise.reject(new Error("enough"));
        },
      },
    );
    await arm.send(put);
    expect(signals).toHaveLength(2);
    expect(signals[0]).toBeInstanceOf(AbortSignal);
    expect(signals[1]).toBe(signals[0]);
  });

  it("ends while a token is waited for: nothing is sent, and that is what the failure says", async () => {
    let sent = 0;
    const never = { getToken: () => new Promise<never>(() => {}) };
    const arm = await connectBy(armToken(never, "scope"), 1, {
      sendRequest: () => {
        sent += 1;
        return Promise.reject(new Error("never"));
      },
    });
    expect(await arm.send(put)).toMatchObject({ ok: false, error: { code: "TokenNotAnswered", status: 503 } });
    expect(sent).toBe(0);
  });
});

describe("lists", () => {
  const list = { method: "GET", ...target } as const;
  it("tolerate a page without values", async () => {
    const nextLink = "https://management.azure.com/next?page=2";
    const arm = await connect({ status: 200, body: { nextLink } }, { status: 200, body: { value: [{ a: 1 }, 7] } });
    expect(must(await arm.list(list))).toEqual([{ a: 1 }]);
    expect(asked[1]?.url).toBe("/next?page=2");
  });
  it("are not followed to strangers", async () => {
    const arm = await connect({ status: 200, body: { value: [], nextLink: elsewhere } });
    expect(await arm.list(list)).toMatchObject({ ok: false, error: { code: "UntrustedUrl" } });
    expect(asked).toHaveLength(1);
  });
  it("ask before each further page whether they may go on, and end with what stops them", async () => {
    const page = (n: number): Answer => ({
      status: 200,
      body: { value: [{ n }], nextLink: `https://management.azure.com/next?page=${n + 1}` },
    });
    const stop = { kind: "transient", code: "TurnTooLong", message: "x" } as const;
    let left = 2;
    const arm = await connect(page(1), page(2), page(3), page(4));
    const mayGoOn = () => {
      left -= 1;
      return Promise.resolve(left < 0 ? stop : undefined);
    };
    expect(await arm.list(list, mayGoOn)).toEqual({ ok: false, error: stop });
    expect(asked).toHaveLength(3);
  });
  it("end when they lead back", async () => {
    const nextLink = `https://management.azure.com${target.path}?api-version=2025-04-01`;
    const arm = await connect({ status: 200, body: { value: [], nextLink } });
    expect(await arm.list(list)).toMatchObject({ ok: false, error: { code: "EndlessList" } });
  });

  it.each([
    ["nothing", undefined],
    ["a list", []],
    ["a text", '"ok"'],
    ["an error", { error: { code: "InternalServerError", message: "x" } }],
  ])("is not empty when Azure answers with %s", async (_, body) => {
    const arm = await connect({ status: 200, ...(body !== undefined && { body }) });
    expect(await arm.list(list)).toMatchObject({ ok: false, error: { kind: "transient", code: "UnreadableAnswer" } });
  });
});
