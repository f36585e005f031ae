import type { TokenCredential } from "@azure/core-auth";
import { errorCodeOf } from "../core/azureErrorCodes.ts";
import type { Failure, Result } from "../core/types.ts";
import { before } from "./before.ts";

/** Bearer tokens of one identity, for one scope. */
export interface ArmToken {
  /** `cut` ends the wait, also when the credential does not heed it. */
  get(cut: AbortSignal): Promise<Result<string>>;
  /** Azure refused it: the next one is fetched anew. */
  drop(): void;
}

/** A token is not used in its last minutes. */
const marginMs = 300_000;
/** Longest wait of the credential for Entra ID; who waits for it gives up by a limit of its own. */
const fetchLimitMs = 60_000;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Whom a refused assertion spoke for, as Entra ID read it: that is to be compared with the federated credential. An
 * assertion's claims are no secrets.
 */
const assertionIn = (text: string): string => {
  const said = new Map(
    [...text.matchAll(/assertion (issuer|subject|audience):? '([^'\n\r]{1,300})'/gi)].map(
      ([, claim = "", value = ""]) => [claim.toLowerCase(), value],
    ),
  );
  return [...said].map(([claim, value]) => `, ${claim} "${value}"`).join("");
};

/** The host platform has no such identity; IMDS and App Service say so in words of their own. */
const isUnassigned = (text: string): boolean => /managed identity found|identity not found/i.test(text);

/** Entra ID says in words what is wrong; its code is what is told of them, because they may quote the request. */
const failureOf = (error: unknown): Failure => {
  const text = textOf(error);
  const code = /AADSTS\d+/.exec(text)?.[0];
  if (code !== undefined) {
    const known = errorCodeOf(code)?.kind;
    if (known === "transient" || known === "throttled") {
      return { kind: "transient", code, message: `Entra ID gives no token now: ${code}`, status: 503 };
    }
    const message = `Entra ID refused the identity: ${code}${assertionIn(text)}`;
    return { kind: "auth", code, message, status: 401 };
  }
  if (isUnassigned(text)) {
    const message = "the managed identity is not assigned to the host that Capstan runs on";
    return { kind: "auth", code: "TokenUnavailable", message, status: 401 };
  }
  const name = error instanceof Error ? error.name : "unknown";
  return name === "AbortError" || name === "TimeoutError"
    ? { kind: "transient", code: "TokenNotAnswered", message: "no answer from Entra ID", status: 503 }
    : { kind: "auth", code: "TokenUnavailable", message: `no token for the identity (${name})`, status: 401 };
};

/**
 * Keeps one token until shortly before its end. All who need the next one wait for the same, which goes on being fetched
 * when the one who asked first gives up. Failures are of class auth with Entra's own code (`AADSTS…`), or
 * `TokenUnavailable`, or `TokenNotAnswered`. All have a status, because nothing was asked of Resource Manager.
 */
export const armToken = (credential: TokenCredential, scope: string, nowMs: () => number = Date.now): ArmToken => {
  let kept: { readonly token: string; readonly untilMs: number } | undefined;
  let running: Promise<string> | undefined;
  const fetchOne = async (): Promise<string> => {
    const limit = AbortSignal.timeout(fetchLimitMs);
    const fresh = await before(limit, credential.getToken(scope, { abortSignal: limit }));
    if (fresh === null) throw new Error("the credential has no token");
    kept = { token: fresh.token, untilMs: fresh.expiresOnTimestamp - marginMs };
    return fresh.token;
  };
  const fetchShared = (): Promise<string> => {
    running ??= fetchOne().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    get: async (cut) => {
      if (kept !== undefined && nowMs() < kept.untilMs) return { ok: true, value: kept.token };
      try {
        return { ok: true, value: await before(cut, fetchShared()) };
      } catch (error) {
        return { ok: false, error: failureOf(error) };
      }
    },
    drop: () => {
      kept = undefined;
    },
  };
};
