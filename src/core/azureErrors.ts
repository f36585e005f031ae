import { isJsonObject, type Json, type JsonObject } from "../wire/json.ts";
import { errorCodes } from "./azureErrorCodes.ts";
import type { Failure, FailureClass } from "./types.ts";

/** What an answer says beside its body. */
export interface AnswerHints {
  /** The Retry-After header: seconds, or an HTTP date. */
  readonly retryAfter?: string;
  /** Needed only for a Retry-After that is a date. */
  readonly nowMs?: number;
}

interface AzureError {
  readonly code: string;
  readonly message: string;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Some services put the inner error into the message as text. */
const parsedMessage = (message: string): Json | undefined => {
  if (!message.trimStart().startsWith("{")) return undefined;
  try {
    // The one cast: whatever JSON.parse returns is JSON.
    return JSON.parse(message) as Json;
  } catch {
    return undefined;
  }
};

/** `{error}`, `{odata.error}` or the error itself. */
const unwrapped = (body: Json | undefined): JsonObject | undefined => {
  if (!isJsonObject(body)) return undefined;
  const inner = body["error"] ?? body["odata.error"] ?? body["odataerror"];
  return isJsonObject(inner) ? inner : body;
};

const innerErrors = (error: JsonObject): readonly JsonObject[] => {
  const details = error["details"];
  const listed = Array.isArray(details) ? (details as readonly Json[]) : [];
  return [...listed, parsedMessage(textOf(error["message"]))].map(unwrapped).filter((it) => it !== undefined);
};

/** From the outermost to the innermost, nested no deeper than any seen answer. */
const chain = (error: JsonObject, depth = 0): readonly AzureError[] => {
  const inner = depth < 8 ? innerErrors(error).map((it) => chain(it, depth + 1)) : [];
  // Of several inner errors the first known one tells; the others are usually its consequences.
  const next = inner.find((errors) => errors.some(({ code }) => errorCodes.has(code))) ?? inner[0] ?? [];
  const code = textOf(error["code"]);
  const message = textOf(error["message"]) || textOf(error["value"]);
  return code === "" ? next : [{ code, message }, ...next];
};

const byStatus = (status: number): FailureClass => {
  if (status === 401 || status === 403) return "auth";
  if (status === 404 || status === 410) return "gone";
  if (status === 408) return "transient";
  if (status === 409 || status === 412) return "conflict";
  if (status === 429) return "throttled";
  return status >= 400 && status < 500 ? "badConfiguration" : "transient";
};

/** OperationNotAllowed means two things; only its words tell whether a quota is exhausted. */
const classOf = ({ code, message }: AzureError, status: number): FailureClass => {
  if (
    /\bquota\b|\bexceed(ing|s|ed)?\b.*\blimit\b/i.test(message) &&
    /^(OperationNotAllowed|Conflict|BadRequest)$/.test(code)
  ) {
    return "quota";
  }
  if (/^AADSTS\d+$/.test(code)) return "auth";
  return errorCodes.get(code)?.kind ?? byStatus(status);
};

/** Retry-After in whole seconds; undefined when it says nothing usable. */
export const retryAfterSeconds = ({ retryAfter, nowMs }: AnswerHints): number | undefined => {
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter);
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) || nowMs === undefined ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
};

/**
 * A refusal of Azure as a Failure: an HTTP answer with an error body, or the body of an operation that failed (with
 * status 200). The innermost known code decides the class, because outer ones (`RetryableError`, `DeploymentFailed`)
 * only wrap it; codes that are unknown leave it to the status. The message keeps Azure's words.
 */
export const classify = (status: number, body: Json | undefined, hints: AnswerHints = {}): Failure => {
  const error = unwrapped(body);
  const errors = error === undefined ? [] : chain(error);
  const known = errors.findLast(({ code }) => errorCodes.has(code) || /^AADSTS\d+$/.test(code));
  const told = known ?? errors.at(-1) ?? { code: `Http${status}`, message: "" };
  const message = [...new Set([...errors.map((it) => it.message), told.message])].filter(
    (it) => parsedMessage(it) === undefined,
  );
  const after = retryAfterSeconds(hints);
  return {
    kind: classOf(told, status),
    code: told.code,
    message: message.filter((it) => it !== "").join(" ") || `Azure answered ${status}`,
    status,
    ...(after !== undefined && { retryAfterSeconds: after }),
  };
};

/** What to do about a code, in a sentence for people; undefined when the class says all. */
export const hintFor = (code: string): string | undefined => errorCodes.get(code)?.hint;
