import type { RegisteredFunction } from "./functionsCore.ts";
import { ok, type Parsed, problem, problemsOf } from "./parsed.ts";
import { parseRoute, type Segment } from "./routes.ts";
import type { Binding } from "./rpc.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";
import { resolveSettings, type Settings } from "./settings.ts";

export type AuthLevel = "anonymous" | "function" | "admin";

export interface QueueTrigger {
  readonly kind: "serviceBusQueue";
  readonly binding: string;
  readonly queue: string;
  readonly connectionString: string;
  /** Undefined: as host.json says. */
  readonly autoCompleteMessages: boolean | undefined;
}

interface TimerTrigger {
  readonly kind: "timer";
  readonly binding: string;
  readonly schedule: Schedule;
  readonly runOnStartup: boolean;
}

export interface HttpTrigger {
  readonly kind: "http";
  readonly binding: string;
  /** As declared, without the route prefix. */
  readonly template: string;
  readonly segments: readonly Segment[];
  readonly methods: readonly string[];
  readonly authLevel: AuthLevel;
}

/** What starts a function, with its `%SETTING%` names and its connection resolved. */
export type Trigger = QueueTrigger | TimerTrigger | HttpTrigger;

const textOf = (binding: Binding, option: string, settings: Settings): Parsed<string> => {
  const value = binding[option];
  return typeof value === "string" ? resolveSettings(value, settings) : problem(`${option} is not text`);
};

const connectionOf = (binding: Binding, settings: Settings): Parsed<string> => {
  const name = textOf(binding, "connection", settings);
  if (name.kind === "problems") return name;
  const value = settings[name.value];
  if (value === undefined) return problem(`setting ${name.value}, the connection, is missing`);
  return value.startsWith("Endpoint=") ? ok(value) : problem(`setting ${name.value} is not a connection string`);
};

const parseQueue = (binding: Binding, settings: Settings): Parsed<QueueTrigger> => {
  const queue = textOf(binding, "queueName", settings);
  const connection = connectionOf(binding, settings);
  const unsupported = [
    ...(binding["isSessionsEnabled"] === true ? ["sessions are not supported by this host"] : []),
    ...(binding["sdkBinding"] === true ? ["sdkBinding is not supported by this host"] : []),
    ...(binding["cardinality"] === "many" ? ['cardinality "many" is not supported by this host'] : []),
  ];
  if (queue.kind === "problems" || connection.kind === "problems" || unsupported.length > 0)
    return problem(...problemsOf(queue, connection), ...unsupported);
  const autoComplete = binding["autoCompleteMessages"];
  return ok({
    kind: "serviceBusQueue",
    binding: binding.name,
    queue: queue.value,
    connectionString: connection.value,
    autoCompleteMessages: typeof autoComplete === "boolean" ? autoComplete : undefined,
  });
};

const parseTimer = (binding: Binding, settings: Settings): Parsed<TimerTrigger> => {
  const text = textOf(binding, "schedule", settings);
  const schedule = text.kind === "ok" ? parseSchedule(text.value) : text;
  if (schedule.kind === "problems") return schedule;
  return ok({
    kind: "timer",
    binding: binding.name,
    schedule: schedule.value,
    runOnStartup: binding["runOnStartup"] === true,
  });
};

const authLevels = ["anonymous", "function", "admin"] as const;
const allMethods = ["GET", "POST", "DELETE", "HEAD", "PATCH", "PUT", "OPTIONS", "TRACE", "CONNECT"];

const parseHttp = (name: string, binding: Binding): Parsed<HttpTrigger> => {
  const template = typeof binding["route"] === "string" ? binding["route"] : name;
  const segments = parseRoute(template);
  const authLevel = authLevels.find((level) => level === (binding["authLevel"] ?? "anonymous"));
  const given = Array.isArray(binding["methods"]) ? binding["methods"].map(String) : allMethods;
  if (authLevel === undefined) return problem(`authLevel "${String(binding["authLevel"])}" is unknown`);
  if (segments.kind === "problems") return segments;
  return ok({
    kind: "http",
    binding: binding.name,
    template,
    segments: segments.value,
    methods: given.map((method) => method.toUpperCase()),
    authLevel,
  });
};

const parseBinding = (name: string, binding: Binding, settings: Settings): Parsed<Trigger> => {
  switch (binding.type.toLowerCase()) {
    case "httptrigger":
      return parseHttp(name, binding);
    case "timertrigger":
      return parseTimer(binding, settings);
    case "servicebustrigger":
      return parseQueue(binding, settings);
    default:
      return problem(`${binding.type} is not supported by this host`);
  }
};

/** The trigger of a function; bindings beside it and the HTTP response are refused, since nothing would serve them. */
export const parseTrigger = ({ name, bindings }: RegisteredFunction, settings: Settings): Parsed<Trigger> => {
  const isTrigger = (binding: Binding): boolean => /trigger$/i.test(binding.type);
  const trigger = bindings.find(isTrigger);
  if (trigger === undefined) return problem(`function ${name}: has no trigger`);
  const others = bindings
    .filter((binding) => binding !== trigger && binding.type !== "http")
    .map((binding) => `binding ${binding.type} is not supported by this host`);
  const parsed = parseBinding(name, trigger, settings);
  const problems = [...problemsOf(parsed), ...others];
  return parsed.kind === "ok" && others.length === 0
    ? parsed
    : problem(...problems.map((text) => `function ${name}: ${text}`));
};
