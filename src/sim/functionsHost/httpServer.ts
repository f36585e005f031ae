import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { serveAdmin } from "./admin.ts";
import { readBody, toHttpData, writeResponse } from "./httpMessages.ts";
import { type Keys, opens } from "./keys.ts";
import type { LoadedFunction } from "./loadedFunction.ts";
import type { Log } from "./log.ts";
import { compareRoutes, matchRoute } from "./routes.ts";
import { newInvocation, type Runner } from "./runner.ts";
import type { HttpTrigger } from "./trigger.ts";

export interface HttpServerOptions {
  readonly functions: readonly LoadedFunction[];
  readonly runner: Runner;
  readonly routePrefix: string;
  readonly keys: Keys;
  readonly log: Log;
  /** 0 for a free one. */
  readonly port: number;
}

export interface HttpServer {
  readonly port: number;
  /** Takes no further request; those that run are answered. */
  stop(): void;
}

interface Route {
  readonly one: LoadedFunction<HttpTrigger>;
  readonly params: Readonly<Record<string, string>>;
}

const isHttp = (one: LoadedFunction): one is LoadedFunction<HttpTrigger> => one.trigger.kind === "http";

const pathOf = (url: URL): readonly string[] | undefined => {
  try {
    return url.pathname
      .split("/")
      .filter((text) => text !== "")
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
};

const keyOf = (request: IncomingMessage, url: URL): string | undefined => {
  const header = request.headers["x-functions-key"];
  return typeof header === "string" ? header : (url.searchParams.get("code") ?? undefined);
};

const startsWith = (path: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((text, index) => path[index]?.toLowerCase() === text.toLowerCase());

/** A method that no function of the path takes is 404 as well, as in Azure. */
const findRoute = (
  functions: readonly LoadedFunction<HttpTrigger>[],
  method: string,
  path: readonly string[],
): Route | undefined => {
  for (const one of functions) {
    const params = one.trigger.methods.includes(method) ? matchRoute(one.trigger.segments, path) : undefined;
    if (params !== undefined) return { one, params };
  }
  return undefined;
};

const createHandler = (options: HttpServerOptions) => {
  const { runner, keys, routePrefix } = options;
  const prefix = routePrefix.split("/").filter((text) => text !== "");
  const functions = options.functions
    .filter(isHttp)
    .toSorted((a, b) => compareRoutes(a.trigger.segments, b.trigger.segments));
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? "/", `http://${request.headers.host ?? "127.0.0.1"}`);
    const path = url === null ? undefined : pathOf(url);
    if (url === null || path === undefined) return void response.writeHead(400).end();
    const key = keyOf(request, url);
    if (path[0] === "admin") {
      if (!opens(keys, "admin", key)) return void response.writeHead(401).end();
      return serveAdmin(request, response, path.slice(1), options);
    }
    const found = startsWith(path, prefix)
      ? findRoute(functions, request.method ?? "GET", path.slice(prefix.length))
      : undefined;
    if (found === undefined) return void response.writeHead(404).end();
    const { fn, trigger } = found.one;
    if (!opens(keys, trigger.authLevel, key)) return void response.writeHead(401).end();
    const body = await readBody(request);
    if (body === undefined) return void response.writeHead(413).end();
    const data = toHttpData(request, url, found.params, body);
    // The runner has logged why a function failed.
    const answer = await runner.run(fn, newInvocation(trigger.binding, data)).catch(() => undefined);
    if (answer === undefined) return void response.writeHead(500).end();
    writeResponse(response, answer.returnValue);
  };
};

/** Serves the HTTP functions and `/admin` on 127.0.0.1. */
export const startHttpServer = async (options: HttpServerOptions): Promise<HttpServer> => {
  const handle = createHandler(options);
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      options.log("error", "request failed", { error: error instanceof Error ? error.message : String(error) });
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(options.port, "127.0.0.1", resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    port,
    stop: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
};
