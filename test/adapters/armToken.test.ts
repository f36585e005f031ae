import { describe, expect, it } from "vitest";
import { armToken } from "../../src/adapters/armToken.ts";

const failing = (error: unknown) => armToken({ getToken: () => Promise.reject(error) }, "scope");

const cut = new AbortController().signal;

describe("armToken", () => {
  it("keeps a token until five minutes before its end", async () => {
    let nowMs = 0;
    let issued = 0;
    const scopes: unknown[] = [];
    const token = armToken(
      {
        getToken: (scope) => {
          issued += 1;
          scopes.push(scope);
          return Promise.resolve({ token: `t${issued}`, expiresOnTimestamp: nowMs + 3_600_000 });
        },
      },
      "https://management.azure.com/.default",
      () => nowMs,
    );
    expect(await token.get(cut)).toEqual({ ok: true, value: "t1" });
    nowMs = 3_299_999;
    expect(await token.get(cut)).toEqual({ ok: true, value: "t1" });
    nowMs = 3_300_000;
    expect(await token.get(cut)).toEqual({ ok: true, value: "t2" });
    token.drop();
    expect(await token.get(cut)).toEqual({ ok: true, value: "t3" });
    expect(scopes).toEqual(Array(3).fill("https://management.azure.com/.default"));
  });

  it("tells Entra's code and nothing else of what it says", async () => {
    const error = new Error("AADSTS7000215: Invalid client secret provided: hunter2. Trace ID: x");
    const answer = await failing(error).get(cut);
    expect(answer).toMatchObject({ ok: false, error: { kind: "auth", code: "AADSTS7000215" } });
    expect(JSON.stringify(answer)).not.toContain("hunter2");
  });

  it.each([
    { error: Object.assign(new Error("x"), { name: "CredentialUnavailableError" }), code: "TokenUnavailable" },
    { error: Object.assign(new Error("x"), { name: "AbortError" }), code: "TokenNotAnswered" },
    { error: "odd", code: "TokenUnavailable" },
  ])("gives $code a status, because Resource Manager was never asked", async ({ error, code }) => {
    const answer = await failing(error).get(cut);
    expect(answer).toMatchObject({ ok: false, error: { code, status: expect.any(Number) } });
  });

  it.each([
    { when: "before it is asked", wasCut: true },
    { when: "while it is waited for", wasCut: false },
  ])("is not waited for once it was cut $when, whatever the credential makes of that", async ({ wasCut }) => {
    const cutter = new AbortController();
    const asked = Promise.withResolvers<void>();
    const token = armToken(
      {
        getToken: () => {
          asked.resolve();
          return new Promise(() => {});
        },
      },
      "scope",
    );
    const end = (): void => cutter.abort(new DOMException("too long", "TimeoutError"));
    if (wasCut) end();
    const answer = token.get(cutter.signal);
    await asked.promise;
    end();
    expect(await answer).toMatchObject({ ok: false, error: { code: "TokenNotAnswered" } });
  });

  it("is fetched once for all who need it, and goes on being fetched when the one who asked first gives up", async () => {
    const issued = Promise.withResolvers<{ token: string; expiresOnTimestamp: number }>();
    const signals: (AbortSignal | undefined)[] = [];
    const token = armToken(
      {
        getToken: (_scope, options) => {
          const { abortSignal } = options as { readonly abortSignal?: AbortSignal };
          signals.push(abortSignal);
          // As the libraries do: a request that is cut fails for all who wait for it.
          const gaveUp = new Promise<never>((_, reject) => {
            abortSignal?.addEventListener("abort", () => reject(abortSignal.reason));
          });
          return Promise.race([issued.promise, gaveUp]);
        },
      },
      "scope",
      () => 0,
    );
    const cutter = new AbortController();
    const first = token.get(cutter.signal);
    const second = token.get(cut);
    cutter.abort(new DOMException("too long", "TimeoutError"));
    expect(await first).toMatchObject({ ok: false, error: { code: "TokenNotAnswered" } });
    issued.resolve({ token: "t", expiresOnTimestamp: 3_600_000 });
    expect(await second).toEqual({ ok: true, value: "t" });
    expect(signals).toHaveLength(1);
    expect(await token.get(cut)).toEqual({ ok: true, value: "t" });
    expect(signals).toHaveLength(1);
  });

  it("is fetched anew after a fetch that failed", async () => {
    let times = 0;
    const token = armToken(
      {
        getToken: () => {
          times += 1;
          return times === 1
            ? Promise.reject(new Error("x"))
            : Promise.resolve({ token: "t", expiresOnTimestamp: 9e9 });
        },
      },
      "scope",
      () => 0,
    );
    expect(await token.get(cut)).toMatchObject({ ok: false, error: { code: "TokenUnavailable" } });
    expect(await token.get(cut)).toEqual({ ok: true, value: "t" });
  });

  it("fails when the credential has no token", async () => {
    const token = armToken({ getToken: () => Promise.resolve(null) }, "scope");
    expect(await token.get(cut)).toMatchObject({ ok: false, error: { kind: "auth" } });
  });
});
