import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, writeJson } from "./httpMessages.ts";
import { type LoadedFunction, summarise } from "./loadedFunction.ts";
import type { InvocationRequest } from "./rpc.ts";
import { newInvocation, type Runner } from "./runner.ts";
import { timerInput } from "./timerListener.ts";

export interface AdminOptions {
  readonly functions: readonly LoadedFunction[];
  readonly runner: Runner;
  readonly routePrefix: string;
}

/** Metadata of a message that no broker delivered. */
const manualMetadata = (): InvocationRequest["triggerMetadata"] => {
  const now = new Date().toISOString();
  return {
    MessageId: { string: randomUUID() },
    DeliveryCount: { int: 1 },
    SequenceNumber: { json: "0" },
    EnqueuedTimeUtc: { json: JSON.stringify(now.replace("Z", "")) },
    EnqueuedTime: { json: JSON.stringify(now.replace("Z", "+00:00")) },
    ApplicationProperties: { json: "{}" },
    UserProperties: { json: "{}" },
  };
};

const manualRequest = ({ trigger }: LoadedFunction, input: unknown): InvocationRequest | undefined => {
  switch (trigger.kind) {
    case "timer":
      return newInvocation(trigger.binding, timerInput(trigger.schedule, false, Date.now()));
    case "serviceBusQueue": {
      const text = typeof input === "string" ? input : JSON.stringify(input ?? "");
      return newInvocation(trigger.binding, { string: text }, manualMetadata());
    }
    case "http":
      return undefined;
  }
};

const parseInput = (body: Buffer): { readonly input: unknown } | undefined => {
  if (body.length === 0) return { input: undefined };
  try {
    const json: unknown = JSON.parse(body.toString("utf8"));
    return typeof json === "object" && json !== null ? { input: "input" in json ? json.input : undefined } : undefined;
  } catch {
    return undefined;
  }
};

const invokeByHand = async (
  request: IncomingMessage,
  response: ServerResponse,
  { runner }: AdminOptions,
  found: LoadedFunction,
): Promise<void> => {
  const body = await readBody(request);
  const parsed = body === undefined ? undefined : parseInput(body);
  if (parsed === undefined) return writeJson(response, 400, { error: 'The body is not JSON of the form {"input": …}' });
  const invocation = manualRequest(found, parsed.input);
  if (invocation === undefined) return writeJson(response, 400, { error: "Call an HTTP function by its route" });
  // Answered at once, as in Azure; the runner has logged what comes out.
  runner.run(found.fn, invocation).catch(() => undefined);
  response.writeHead(202, { "x-invocation-id": invocation.invocationId }).end();
};

/**
 * Serves `/admin`; the caller has checked the master key. `POST functions/NAME` starts a function by hand and answers
 * 202 before it ends, with its id in `x-invocation-id`.
 * https://learn.microsoft.com/azure/azure-functions/functions-manually-run-non-http
 */
export const serveAdmin = async (
  request: IncomingMessage,
  response: ServerResponse,
  path: readonly string[],
  options: AdminOptions,
): Promise<void> => {
  const [area, name, ...rest] = path;
  const { functions, routePrefix } = options;
  if (rest.length === 0 && request.method === "GET" && area === "host" && name === "status")
    return writeJson(response, 200, {
      state: "Running",
      version: "4.1040.0",
      processUptime: Math.round(process.uptime() * 1000),
    });
  if (rest.length === 0 && area === "functions") {
    if (name === undefined && request.method === "GET")
      return writeJson(
        response,
        200,
        functions.map((one) => ({ ...summarise(one, routePrefix), config: { bindings: one.fn.bindings } })),
      );
    const found = functions.find(({ fn }) => fn.name.toLowerCase() === name?.toLowerCase());
    if (found !== undefined && request.method === "POST") return invokeByHand(request, response, options, found);
  }
  response.writeHead(404).end();
};
