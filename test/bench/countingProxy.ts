import { createServer, request as plainRequest } from "node:http";
import { type RequestOptions, request as tlsRequest } from "node:https";
import type { AddressInfo } from "node:net";

/** A server on this machine that passes every request on and counts them. */
export interface CountingProxy {
  readonly url: string;
  /** `GET /path`, without query, of each request so far. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Stands before the server at `target`; `caPem` vouches for its certificate when that is https. */
export const startCountingProxy = async (target: string, caPem?: string): Promise<CountingProxy> => {
  const { protocol, hostname, port } = new URL(target);
  const send = protocol === "https:" ? tlsRequest : plainRequest;
  const requests: string[] = [];
  const server = createServer((incoming, answer) => {
    const { method, url = "/", headers } = incoming;
    requests.push(`${method} ${url.split("?")[0]}`);
    const options: RequestOptions = { hostname, port, method, path: url, headers, ...(caPem && { ca: caPem }) };
    const outgoing = send(options, (from) => {
      answer.writeHead(from.statusCode ?? 502, from.headers);
      from.pipe(answer);
    });
    outgoing.once("error", () => answer.destroy());
    answer.once("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
};
