import { isJsonObject, type Json, type JsonObject } from "../wire/json.ts";
import { errorCodeOf } from "./azureErrorCodes.ts";
import { classByWords } from "./azureErrorWords.ts";
import { quotaOf } from "./quota.ts";
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

/** A field in either of the two spellings that Azure's services use: `code` and `Code`. */
const fieldOf = (error: JsonObject, name: string): Json | undefined =>
  error[name] ?? error[`${name.charAt(0).toUpperCase()}${name.slice(1)}`];

const parsed = (text: string): Json | undefined => {
  try {
    // The one cast: whatever JSON.parse returns is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};

/** Some services put the inner error into the message as text, some behind words of their own. */
const jsonIn = (message: string): Json | undefined => {
  const [from, to] = [message.indexOf("{"), message.lastIndexOf("}")];
  const found = from < 0 || to < from ? undefined : parsed(message.slice(from, to + 1));
  return isJsonObject(found) ? found : undefined;
};

/** Codes that only the words name: those of Entra ID, and those that went through a client of Azure's before. */
const codesIn = (message: string): readonly AzureError[] =>
  [...message.matchAll(/\b(AADSTS\d+)\b|\bCode\\?[:=] ?\\?"(\w+)\\?"/gi)]
    .map(([, token, code]) => token ?? code ?? "")
    .filter((code) => errorCodeOf(code) !== undefined)
    .map((code) => ({ code, message: "" }));

/** `{error}`, `{odata.error}`, the error itself, or that of OAuth, whose code stands in `error` and whose words beside it. */
const unwrapped = (body: Json | undefined): JsonObject | undefined => {
  if (!isJsonObject(body)) return undefined;
  const inner = fieldOf(body, "error") ?? body["odata.error"] ?? body["odataerror"];
  if (typeof inner === "string") return { code: inner, message: textOf(body["error_description"]) };
  return isJsonObject(inner) ? inner : body;
};

const isGeneric = ({ code }: AzureError): boolean => errorCodeOf(code)?.generic === true;
const isKnown = ({ code }: AzureError): boolean => errorCodeOf(code) !== undefined;
const isSpecific = (error: AzureError): boolean => isKnown(error) && !isGeneric(error);

/** The subcode of Azure Kubernetes Service, where it says more than the code. */
const subcodeOf = (error: JsonObject): readonly AzureError[] =>
  [{ code: textOf(fieldOf(error, "subcode")), message: "" }].filter(isKnown);

const innerErrors = (error: JsonObject): readonly JsonObject[] => {
  const details = fieldOf(error, "details");
  const listed = Array.isArray(details) ? (details as readonly Json[]) : [];
  const inner = [fieldOf(error, "innererror"), fieldOf(error, "innerError"), jsonIn(textOf(fieldOf(error, "message")))];
  return [...listed, ...inner].map(unwrapped).filter((it) => it !== undefined);
};

/** From the outermost to the innermost, nested no deeper than any seen answer. */
const chain = (error: JsonObject, depth = 0): readonly AzureError[] => {
  const inner = depth < 8 ? innerErrors(error).map((it) => chain(it, depth + 1)) : [];
  // Of several inner errors the first one that says something tells; the others are usually its consequences.
  const next =
    inner.find((errors) => errors.some(isSpecific)) ?? inner.find((errors) => errors.some(isKnown)) ?? inner[0] ?? [];
  const code = textOf(fieldOf(error, "code"));
  const message = textOf(fieldOf(error, "message")) || textOf(error["value"]);
  const within = [...subcodeOf(error), ...codesIn(message), ...next];
  return code === "" ? within : [{ code, message }, ...within];
};

const byStatus = (status: number): FailureClass => {
  if (status === 401 || status === 403) return "auth";
  if (status === 404 || status === 410) return "gone";
  if (status === 408) return "transient";
  if (status === 409 || status === 412) return "conflict";
  if (status === 429) return "throttled";
  return status >= 400 && status < 500 ? "badConfiguration" : "transient";
};

/** The one error that tells: the innermost specific one, else the innermost that wraps nothing known, else what there is. */
const tellingOf = (errors: readonly AzureError[], status: number): AzureError =>
  errors.findLast(isSpecific) ??
  (errors.some(isGeneric) ? errors.findLast((it) => !isGeneric(it)) : undefined) ??
  errors.findLast(isKnown) ??
  errors.at(-1) ?? { code: status < 400 ? "OperationFailed" : `Http${status}`, message: "" };

/** By its words where its code says nothing, then by the table, then by the wrappers around it, then by the status. */
const classOf = (told: AzureError, errors: readonly AzureError[], message: string, status: number): FailureClass => {
  const wrapper = errors.findLast(isGeneric);
  const isVague = !isSpecific(told) || told.code.toLowerCase() === "operationnotallowed";
  return (
    (isVague ? classByWords(isKnown(told) ? told.code : (wrapper?.code ?? told.code), message) : undefined) ??
    errorCodeOf(told.code)?.kind ??
    (wrapper === undefined ? undefined : errorCodeOf(wrapper.code)?.kind) ??
    byStatus(status)
  );
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
 * status 200). The innermost code that means something decides the class, because outer ones (`RetryableError`,
 * `DeploymentFailed`, `Conflict`) only wrap it; unknown codes leave it to their wrapper and to the status. The message
 * keeps Azure's words.
 */
export const classify = (status: number, body: Json | undefined, hints: AnswerHints = {}): Failure => {
  const error = unwrapped(body);
  const errors = error === undefined ? [] : chain(error);
  const told = tellingOf(errors, status);
  const words = [...new Set([...errors.map((it) => it.message), told.message])].filter(
    (it) => it !== "" && !isJsonObject(parsed(it)),
  );
  const message = words.join(" ");
  const kind = classOf(told, errors, message, status);
  const quota = kind === "quota" ? quotaOf(message) : undefined;
  const after = retryAfterSeconds(hints);
  return {
    kind,
    code: told.code,
    message: message || `Azure answered ${status}`,
    status,
    ...(quota !== undefined && { quota }),
    ...(after !== undefined && { retryAfterSeconds: after }),
  };
};

/** What to do about a code, in a sentence for people; undefined when the class says all. */
export const hintFor = (code: string): string | undefined => errorCodeOf(code)?.hint;
