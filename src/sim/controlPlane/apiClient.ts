import { Agent, request } from "node:https";
import type { KubeObject } from "./kubeObject.ts";

export interface ApiAnswer {
  readonly status: number;
  readonly body: string;
  /** What the server warns of beside its answer, for example of an old version of a kind. */
  readonly warnings: readonly string[];
}

/** https://kubernetes.io/docs/reference/using-api/deprecation-guide: `299 - "text"`, separated by commas. */
const warningsIn = (header: string | undefined): readonly string[] =>
  [...(header ?? "").matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));

interface ApiRequest {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path with query. */
  readonly path: string;
  readonly contentType?: string;
  readonly body?: string;
  /** Default: 30 s. */
  readonly timeoutMs?: number;
}

/** The little that setting up a cluster asks of an API server, below any client library. */
export interface ApiClient {
  /** Any HTTP status is an answer; fails when there is none in time. */
  send(call: ApiRequest): Promise<ApiAnswer>;
  /** Server-side apply into a collection such as `/api/v1/namespaces`. Fails with the server's message. */
  apply(collection: string, object: KubeObject): Promise<void>;
  close(): void;
}

const fieldManager = "capstan-local";

/** A client for one server whose certificate `caPem` vouches for. */
export const apiClient = (url: string, caPem: string, token: string): ApiClient => {
  const agent = new Agent({ ca: caPem, keepAlive: true, maxSockets: 8 });
  const send = (call: ApiRequest): Promise<ApiAnswer> =>
    new Promise((resolve, reject) => {
      const { method = "GET", path, contentType, body, timeoutMs = 30_000 } = call;
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": contentType, "content-length": Buffer.byteLength(body) }),
      };
      const outgoing = request(new URL(path, url), { method, headers, agent, timeout: timeoutMs }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.once("error", reject);
        incoming.once("end", () =>
          resolve({
            status: incoming.statusCode ?? 0,
            body: Buffer.concat(chunks).toString("utf8"),
            warnings: warningsIn(incoming.headers.warning),
          }),
        );
      });
      outgoing.once("timeout", () => outgoing.destroy(new Error(`no answer to ${method} ${path} in ${timeoutMs} ms`)));
      outgoing.once("error", reject);
      outgoing.end(body);
    });
  return {
    send,
    apply: async (collection, object) => {
      const path = `${collection}/${object.metadata.name}?fieldManager=${fieldManager}&force=true`;
      const contentType = "application/apply-patch+yaml";
      const { status, body } = await send({ method: "PATCH", path, contentType, body: JSON.stringify(object) });
      if (status >= 300) throw new Error(`applying ${object.kind} ${object.metadata.name}: ${status} ${body}`);
    },
    close: () => agent.destroy(),
  };
};
