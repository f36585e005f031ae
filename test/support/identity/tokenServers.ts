import { createServer as createPlain, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createSecure } from "node:https";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";
import { newAuthority, newKeyPair, serverCertificate } from "../../../src/sim/controlPlane/certificates.ts";

/** A request for a token as it arrived. */
export interface TokenRequest {
  readonly method: string;
  /** As the client addressed it: `https://login.microsoftonline.com/…`, without query. */
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage["headers"];
  /** Of a form. */
  readonly form: Readonly<Record<string, string>>;
}

export interface TokenAnswer {
  readonly status?: number;
  readonly body: object;
}

/** Entra ID over TLS, and the endpoints of a host platform that gives tokens to its own identities. */
export interface TokenServers {
  /** Goes wherever `@azure/identity` addresses a request, but always arrives here. */
  readonly transport: HttpClient;
  /** Requests so far, oldest first. */
  readonly requests: TokenRequest[];
  /** What is answered from now on. Default: the token `token-<n>` of the n-th request. */
  answer: (request: TokenRequest, count: number) => TokenAnswer;
  close(): Promise<void>;
}

const tokenAnswer = (_: TokenRequest, count: number): TokenAnswer => ({
  body: {
    token_type: "Bearer",
    expires_in: 3_600,
    expires_on: String(Math.floor(Date.now() / 1_000) + 3_600),
    access_token: `token-${count}`,
    resource: "r",
  },
});

const addressedTo = "x-addressed-to";
const only = (parameters: URLSearchParams): Readonly<Record<string, string>> => Object.fromEntries(parameters);

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
};

export const startTokenServers = async (): Promise<TokenServers> => {
  const requests: TokenRequest[] = [];
  const authority = newAuthority("tokens under test", new Date());
  const keys = newKeyPair();
  const key = keys.privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  const cert = serverCertificate(authority, keys, ["127.0.0.1"], new Date());

  const heed: RequestListener = async (incoming, response) => {
    const { [addressedTo]: addressed = "", ...headers } = incoming.headers;
    const url = new URL(String(addressed));
    const form = only(new URLSearchParams(await text(incoming)));
    const { method = "" } = incoming;
    const request = { method, url: `${url.origin}${url.pathname}`, query: only(url.searchParams), headers, form };
    requests.push(request);
    const { status = 200, body } = servers.answer(request, requests.length);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const secure = createSecure({ key, cert }, heed);
  const plain = createPlain(heed);
  const [securePort, plainPort] = [await listen(secure), await listen(plain)];

  const inner = createDefaultHttpClient();
  const servers: TokenServers = {
    requests,
    answer: tokenAnswer,
    transport: {
      sendRequest: async (request) => {
        const { url } = request;
        const { protocol, pathname, search } = new URL(url);
        const port = protocol === "https:" ? securePort : plainPort;
        request.headers.set(addressedTo, url);
        request.url = `${protocol}//127.0.0.1:${port}${pathname}${search}`;
        request.tlsSettings = { ca: authority.pem };
        try {
          return await inner.sendRequest(request);
        } finally {
          request.url = url;
        }
      },
    },
    close: async () => {
      for (const server of [secure, plain]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  return servers;
};
