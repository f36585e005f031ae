import { Buffer } from "node:buffer";
import { createWriteStream } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { adminAnswer, configure, resetState, resourceViews } from "./admin.ts";
import { type ArmState, createArmState } from "./armState.ts";
import { activeFaults, type FaultRule } from "./faults.ts";
import { handle } from "./handle.ts";
import type { Json, JsonObject } from "./json.ts";
import { finishAll } from "./operations.ts";
import type { ArmSimulatorOptions } from "./options.ts";
import { mutateResource, removeResource, type Seed, seedResources } from "./otherWriter.ts";
import type { LoggedRequest } from "./requestLog.ts";

export interface StartOptions extends ArmSimulatorOptions {
  /** Default 0, a free port. Only 127.0.0.1 is listened on. */
  readonly port?: number;
  /** File that gets one JSON line a request, appended. */
  readonly requestsFile?: string;
  /** Clock in milliseconds. Default: the machine's. */
  readonly now?: () => number;
}

/** A running simulator with its inspection side. */
export interface ArmSimulator {
  readonly url: string;
  readonly port: number;
  /** The state behind it, to look at. */
  readonly state: ArmState;
  requests(): readonly LoggedRequest[];
  /** All resources as a GET shows them, below a prefix of the id. */
  resources(prefix?: string): readonly JsonObject[];
  setFaults(faults: readonly FaultRule[]): void;
  /** Puts resources in place, settled; missing resource groups are made. Throws for what is no resource id. */
  seed(resources: readonly Seed[]): void;
  /** Changes a resource as another writer would. Throws when there is none. */
  mutate(id: string, change: (body: JsonObject) => JsonObject | undefined): void;
  /** Takes a resource away as another writer would. */
  remove(id: string): boolean;
  configure(options: ArmSimulatorOptions): void;
  /** Ends all running operations now. */
  finishOperations(): void;
  reset(): void;
  stop(): Promise<void>;
}

const mostBytes = 4 * 1024 * 1024;

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > mostBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const headersOf = (request: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value]),
  );

const send = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Json | undefined,
): void => {
  const text = body === undefined ? "" : JSON.stringify(body);
  const length = status === 204 ? {} : { "content-length": String(Buffer.byteLength(text)) };
  response.writeHead(status, { ...headers, ...length });
  response.end(status === 204 ? undefined : text);
};

const parseAdminBody = (text: string): Json | undefined => {
  try {
    return text === "" ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
};

type Written = (entry: LoggedRequest) => void;

const serve = async (
  state: ArmState,
  now: () => number,
  request: IncomingMessage,
  response: ServerResponse,
  written: Written,
): Promise<void> => {
  const body = await readBody(request);
  const url = request.url ?? "/";
  const method = request.method ?? "GET";
  if (body === undefined) return send(response, 413, {}, { error: { code: "RequestEntityTooLarge", message: "4 MB" } });
  if (url.startsWith("/_sim/")) {
    const admin = adminAnswer(state, method, new URL(url, "http://127.0.0.1"), parseAdminBody(body), now());
    return send(response, admin?.status ?? 404, { "content-type": "application/json" }, admin?.body);
  }
  const reply = handle(state, { method, url, headers: headersOf(request), body }, now());
  const entry = state.requests.at(-1);
  if (entry !== undefined) written(entry);
  if (reply.delayMs > 0) await sleep(reply.delayMs);
  if (reply.kind === "dropped") request.socket.destroy();
  else send(response, reply.status, reply.headers, method === "HEAD" ? undefined : reply.body);
};

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

const openLog = (file: string | undefined): { readonly written: Written; readonly end: () => Promise<void> } => {
  if (file === undefined) return { written: () => undefined, end: () => Promise.resolve() };
  const stream = createWriteStream(file, { flags: "a" });
  return {
    written: (entry) => stream.write(`${JSON.stringify(entry)}\n`),
    end: () => new Promise((resolve) => stream.end(() => resolve())),
  };
};

/**
 * Starts a simulated Azure Resource Manager on 127.0.0.1. Reached with the real host names through
 * `rerouteTransport(url)`, or directly. Rejects when the port is taken.
 */
export const startArmSimulator = async (options: StartOptions = {}): Promise<ArmSimulator> => {
  const { port: wanted = 0, requestsFile, now = Date.now, ...rest } = options;
  const state = createArmState(rest);
  const log = openLog(requestsFile);
  const server = createServer((request, response) => {
    // Whatever goes wrong here is a defect of the simulator; the client sees a cut connection.
    serve(state, now, request, response, log.written).catch((error: unknown) => request.socket.destroy(error as Error));
  });
  // Node closes idle connections after five seconds, in the middle of a client's next request.
  server.keepAliveTimeout = 600_000;
  const port = await listen(server, wanted);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    state,
    requests: () => state.requests,
    resources: (prefix) => resourceViews(state, now(), prefix),
    setFaults: (faults) => {
      state.faults = activeFaults(faults);
    },
    seed: (resources) => seedResources(state, resources, now()),
    mutate: (id, change) => mutateResource(state, id, change, now()),
    remove: (id) => removeResource(state, id, now()),
    configure: (changed) => configure(state, changed),
    finishOperations: () => finishAll(state),
    reset: () => resetState(state),
    stop: async () => {
      await close(server);
      await log.end();
    },
  };
};
