import type { KubeConfig, RequestContext } from "@kubernetes/client-node";

/** Where the credential for a management cluster comes from. */
export type KubeSource =
  | { readonly kind: "file"; readonly path: string; readonly context?: string }
  /** The service account of the pod this runs in. */
  | { readonly kind: "inCluster" };

export interface KubeRequest {
  readonly method: "GET" | "PATCH";
  /** With query, without host: `/api/v1/…`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface KubeResponse {
  readonly status: number;
  readonly retryAfter?: string;
  /** The whole body. */
  text(): Promise<string>;
  /** The body as it comes; undefined when there is none. */
  stream(): ReadableStream<Uint8Array> | undefined;
}

/** Sends raw requests with the credential of one kubeconfig. Throws when no answer comes. */
export interface KubeTransport {
  send(request: KubeRequest): Promise<KubeResponse>;
}

type Client = typeof import("@kubernetes/client-node");
type Dispatcher = NonNullable<ReturnType<RequestContext["getDispatcher"]>>;

const load = ({ KubeConfig }: Client, source: KubeSource): KubeConfig => {
  const config = new KubeConfig();
  if (source.kind === "inCluster") config.loadFromCluster();
  else config.loadFromFile(source.path);
  if (source.kind === "file" && source.context !== undefined) config.setCurrentContext(source.context);
  return config;
};

/**
 * Opens no connection. Throws when the kubeconfig cannot be read or names no cluster.
 *
 * Only the credential part of the client library is used: its typed calls rename fields of custom resource definitions,
 * have no time-out, and build a new connection pool for each request.
 */
export const openKubeTransport = async (source: KubeSource): Promise<KubeTransport> => {
  const client = await import("@kubernetes/client-node");
  const config = load(client, source);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error("the kubeconfig names no current cluster");
  const http = new client.IsomorphicFetchHttpLibrary();
  let pool: Dispatcher | undefined;
  const send = async ({ method, path, headers = {}, body, signal }: KubeRequest): Promise<KubeResponse> => {
    const context = new client.RequestContext(server.replace(/\/$/, "") + path, method);
    for (const [name, value] of Object.entries(headers)) context.setHeaderParam(name, value);
    if (body !== undefined) context.setBody(body);
    context.setSignal(signal);
    await config.applySecurityAuthentication(context);
    pool ??= context.getDispatcher();
    if (pool !== undefined) context.setDispatcher(pool);
    const response = await http.send(context).toPromise();
    const retryAfter = response.headers["retry-after"];
    return {
      status: response.httpStatusCode,
      ...(retryAfter !== undefined && { retryAfter }),
      text: () => response.body.text(),
      stream: () => response.body.stream() ?? undefined,
    };
  };
  return {
    send: async (request) => {
      try {
        return await send(request);
      } catch (error) {
        // The next request reads certificate files again: they may have been renewed.
        if (!request.signal.aborted) pool = undefined;
        throw error;
      }
    },
  };
};
