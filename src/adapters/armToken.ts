import type { TokenCredential } from "@azure/core-auth";
import type { Failure, Result } from "../core/types.ts";

/** Bearer tokens of one identity, for one scope. */
export interface ArmToken {
  /** `cut` ends the wait, also when the credential does not heed it. */
  get(cut: AbortSignal): Promise<Result<string>>;
  /** Azure refused it: the next one is fetched anew. */
  drop(): void;
}

/** A token is not used in its last minutes. */
const marginMs = 300_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Entra ID says in words what is wrong; its code is all that is told, because the words may quote the request. */
const failureOf = (error: unknown): Failure => {
  const code = /AADSTS\d+/.exec(textOf(error))?.[0];
  if (code !== undefined) {
    return { kind: "auth", code, message: `Entra ID refused the identity: ${code}`, status: 401 };
  }
  const name = error instanceof Error ? error.name : "unknown";
  return name === "AbortError" || name === "TimeoutError"
    ? { kind: "transient", code: "TokenNotAnswered", message: "no answer from Entra ID", status: 503 }
    : { kind: "auth", code: "TokenUnavailable", message: `no token for the identity (${name})`, status: 401 };
};

/** What it gives, unless the signal comes first: then its reason is thrown. */
const before = async <T>(cut: AbortSignal, running: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(cut.reason);
  cut.addEventListener("abort", end, { once: true });
  try {
    if (cut.aborted) end();
    return await Promise.race([running, promise]);
  } finally {
    cut.removeEventListener("abort", end);
  }
};

/**
 * Keeps one token until shortly before its end. Failures are of class auth with Entra's own code (`AADSTS…`), or
 * `TokenUnavailable`, or `TokenNotAnswered`. All have a status, because nothing was asked of Resource Manager.
 */
export const armToken = (credential: TokenCredential, scope: string, nowMs: () => number = Date.now): ArmToken => {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  return {
    get: async (cut) => {
      if (kept !== undefined && nowMs() < kept.untilMs) return { ok: true, value: kept.token };
      try {
        const fresh = await before(cut, credential.getToken(scope, { abortSignal: cut }));
        if (fresh === null) throw new Error("the credential has no token");
        kept = { token: fresh.token, untilMs: fresh.expiresOnTimestamp - marginMs };
        return { ok: true, value: fresh.token };
      } catch (error) {
        return { ok: false, error: failureOf(error) };
      }
    },
    drop: () => {
      kept = undefined;
    },
  };
};
