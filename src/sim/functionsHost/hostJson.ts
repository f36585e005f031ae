import { ok, type Parsed, problem } from "./parsed.ts";
import { parseTimeSpan } from "./timeSpan.ts";

/** What this host obeys of a `host.json`. */
export interface HostJson {
  readonly routePrefix: string;
  /** Undefined: no limit. */
  readonly functionTimeoutMs: number | undefined;
  readonly serviceBus: {
    readonly autoCompleteMessages: boolean;
    readonly maxConcurrentCalls: number;
    readonly maxAutoLockRenewalMs: number;
  };
}

type Json = Readonly<Record<string, unknown>>;

const section = (json: unknown, ...path: readonly string[]): Json => {
  const found = path.reduce<unknown>((at, key) => (isJson(at) ? at[key] : undefined), json);
  return isJson(found) ? found : {};
};
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

const unlimited = new Set(["-1", "-00:00:00.0010000"]);
/** Longest delay of a Node timer; stands for "no limit" where the client wants a number. */
const longestMs = 2 ** 31 - 1;

const timeSpan = (value: unknown, name: string, byDefault: number): Parsed<number> => {
  if (value === undefined) return ok(byDefault);
  if (typeof value === "string" && unlimited.has(value)) return ok(longestMs);
  const ms = typeof value === "string" ? parseTimeSpan(value) : undefined;
  return ms === undefined || ms < 0 ? problem(`${name} is not a time span`) : ok(ms);
};

const count = (value: unknown, name: string, byDefault: number, atLeast: number): Parsed<number> => {
  if (value === undefined) return ok(byDefault);
  return typeof value === "number" && Number.isInteger(value) && value >= atLeast
    ? ok(value)
    : problem(`${name} is not a whole number from ${atLeast} on`);
};

const noPrefetch = (value: unknown): Parsed<undefined> =>
  value === undefined || value === 0
    ? ok(undefined)
    : problem("extensions.serviceBus.prefetchCount is not 0: the JavaScript client cannot prefetch");

/**
 * Reads a parsed `host.json`, with the defaults of the host and of Service Bus extension 5.x.
 * https://learn.microsoft.com/azure/azure-functions/functions-host-json
 */
export const parseHostJson = (json: unknown): Parsed<HostJson> => {
  if (section(json)["version"] !== "2.0") return problem('host.json: version is not "2.0"');
  const serviceBus = section(json, "extensions", "serviceBus");
  const prefix = section(json, "extensions", "http")["routePrefix"] ?? "api";
  const timeout = timeSpan(section(json)["functionTimeout"], "functionTimeout", 30 * 60_000);
  const renewal = timeSpan(
    serviceBus["maxAutoLockRenewalDuration"],
    "extensions.serviceBus.maxAutoLockRenewalDuration",
    5 * 60_000,
  );
  const calls = count(serviceBus["maxConcurrentCalls"], "extensions.serviceBus.maxConcurrentCalls", 16, 1);
  const prefetch = noPrefetch(serviceBus["prefetchCount"]);
  const routePrefix = typeof prefix === "string" ? ok(prefix) : problem("extensions.http.routePrefix is not text");
  if (
    timeout.kind === "ok" &&
    renewal.kind === "ok" &&
    calls.kind === "ok" &&
    prefetch.kind === "ok" &&
    routePrefix.kind === "ok"
  )
    return ok({
      routePrefix: routePrefix.value,
      functionTimeoutMs: timeout.value === longestMs ? undefined : timeout.value,
      serviceBus: {
        autoCompleteMessages: serviceBus["autoCompleteMessages"] !== false,
        maxConcurrentCalls: calls.value,
        maxAutoLockRenewalMs: renewal.value,
      },
    });
  const all = [timeout, renewal, calls, prefetch, routePrefix];
  return problem(
    ...all.flatMap((part) => (part.kind === "problems" ? part.problems : [])).map((p) => `host.json: ${p}`),
  );
};
