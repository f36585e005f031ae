import type { Fault, FaultMatch, FaultRule } from "./faults.ts";
import { isObject, type Json, type JsonObject, numberAt, objectAt, textAt } from "./json.ts";

/** Faults as JSON, or what is wrong with them. */
export type ParsedFaults =
  | { readonly kind: "faults"; readonly faults: readonly FaultRule[] }
  | { readonly kind: "wrong"; readonly message: string };

const patternOf = (text: string): RegExp | undefined => {
  try {
    return new RegExp(text, "i");
  } catch {
    return undefined;
  }
};

const matchOf = (match: JsonObject): FaultMatch | string => {
  const pattern = textAt(match, "pattern");
  const compiled = pattern === "" ? undefined : patternOf(pattern);
  if (pattern !== "" && compiled === undefined) return `match.pattern "${pattern}" is not a regular expression`;
  const text = textAt(match, "path");
  const path = compiled ?? (text === "" ? undefined : text);
  const method = textAt(match, "method");
  const nth = numberAt(match, "nth");
  const times = numberAt(match, "times");
  return {
    ...(method === "" ? {} : { method }),
    ...(path === undefined ? {} : { path }),
    ...(nth === undefined ? {} : { nth }),
    ...(times === undefined ? {} : { times }),
  };
};

const detailsOf = (fault: JsonObject) => {
  const details = fault["details"];
  if (!Array.isArray(details)) return {};
  return {
    details: details
      .filter(isObject)
      .map((detail) => ({ code: textAt(detail, "code"), message: textAt(detail, "message") })),
  };
};

const faultOf = (fault: JsonObject): Fault | string => {
  const error = {
    code: textAt(fault, "code") || "InternalServerError",
    message: textAt(fault, "message") || "A fault of the simulator.",
    ...detailsOf(fault),
  };
  switch (fault["kind"]) {
    case "respond": {
      const status = numberAt(fault, "status");
      const retryAfterSeconds = numberAt(fault, "retryAfterSeconds");
      if (status === undefined || status < 100 || status > 599) return "fault.status must be an HTTP status";
      return {
        kind: "respond",
        status,
        ...error,
        afterEffect: fault["afterEffect"] === true,
        ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      };
    }
    case "drop":
      return { kind: "drop", when: fault["when"] === "after" ? "after" : "before" };
    case "delay":
      return { kind: "delay", ms: numberAt(fault, "ms") ?? 0 };
    case "failOperation":
      return { kind: "failOperation", ...error, status: fault["status"] === "Canceled" ? "Canceled" : "Failed" };
    default:
      return "fault.kind must be respond, drop, delay or failOperation";
  }
};

/** Reads a list of faults. In JSON a regular expression is `match.pattern`, its case does not matter. */
export const parseFaults = (value: Json): ParsedFaults => {
  const list = Array.isArray(value) ? value : [value];
  const faults: FaultRule[] = [];
  for (const item of list) {
    const match = matchOf(objectAt(item, "match"));
    const fault = faultOf(objectAt(item, "fault"));
    if (typeof match === "string") return { kind: "wrong", message: match };
    if (typeof fault === "string") return { kind: "wrong", message: fault };
    faults.push({ match, fault });
  }
  return { kind: "faults", faults };
};
