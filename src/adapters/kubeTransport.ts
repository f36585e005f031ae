import type { KubeConfig, RequestContext } from "@kubernetes/client-node";

/** Where the credential for a management cluster comes from. */
export type KubeSource =
  | { readonly kind: "file"; readonly path: string; readonly context?: string }
  /** The service account of the pod this runs in. */
  | { readonly kind: "inCluster" }
  /** What `kubectl` would take: the variable KUBECONFIG, else the file in the home folder. */
  | { readonly kind: "default"; readonly context?: string };

export interface KubeRequest {
  readonly method: "GET" | "PATCH" | "POST";
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

type Client = typeof import("./kubeClient.ts");
type Dispatcher = NonNullable<ReturnType<RequestContext["getDispatcher"]>>;

const load = ({ KubeConfig }: Client, source: KubeSource): KubeConfig => {
  const config = new KubeConfig();
  if (source.kind === "inCluster") config.loadFromCluster();
  else if (source.kind === "default") config.loadFromDefault();
  else config.loadFromFile(source.path);
  if (source.kind !== "inCluster" && source.context !== undefined) config.setCurrentContext(source.context);
  return config;
};

/** A kubeconfig in use, with one connection pool. */
interface Session {
  readonly config: KubeConfig;
  readonly server: string;
  pool?: Dispatcher;
}

const openSession = (client: Client, source: KubeSource): Session => {
  const config = load(client, source);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) throw new Error("the kubeconfig names no current cluster");
  return { config, server: server.replace(/\/$/, "") };
};

const sendOver = async (client: Client, session: Session, request: KubeRequest): Promise<KubeResponse> => {
  const context = new client.RequestContext(session.server + request.path, request.method);
  for (const [name, value] of Object.entries(request.headers ?? {})) context.setHeaderParam(name, value);
  if (request.body !== undefined) context.setBody(request.body);
  context.setSignal(request.signal);
  await session.config.applySecurityAuthentication(context);
  const pool = session.pool ?? context.getDispatcher();
  if (pool !== undefined) {
    session.pool = pool;
    context.setDispatcher(pool);
  }
  const response = await new client.IsomorphicFetchHttpLibrary().send(context).toPromise();
  const retryAfter = response.headers["retry-after"];
  return {
    status: response.httpStatusCode,
    ...(retryAfter !== undefined && { retryAfter }),
    text: () => response.body.text(),
    stream: () => response.body.stream() ?? undefined,
  };
};

/**
 * Opens no connection. Throws when the kubeconfig cannot be read or names no cluster. The kubeconfig is read again after
 * a 401 or a broken connection: its token or certificates may have been renewed.
 *
 * Only the credential part of the client library is used: its typed calls rename fields of custom resource definitions,
 * have no time-out, and build a new connection pool for each request.
 */
export const openKubeTransport = async (source: KubeSource): Promise<KubeTransport> => {
  const { IsomorphicFetchHttpLibrary, KubeConfig, RequestContext } = await import("./kubeClient.ts");
  const client: Client = { IsomorphicFetchHttpLibrary, KubeConfig, RequestContext };
  let session: Session | undefined = openSession(client, source);
  return {
    send: async (request) => {
      session ??= openSession(client, source);
      try {
        const response = await sendOver(client, session, request);
        if (response.status === 401) session = undefined;
        return response;
      } catch (error) {
        if (!request.signal.aborted) session = undefined;
        throw error;
      }
    },
  };
};

/** Namespace that the current context of a kubeconfig names; undefined when it names none. Throws like `openKubeTransport`. */
export const contextNamespace = async (source: KubeSource): Promise<string | undefined> => {
  const { IsomorphicFetchHttpLibrary, KubeConfig, RequestContext } = await import("./kubeClient.ts");
  const config = load({ IsomorphicFetchHttpLibrary, KubeConfig, RequestContext }, source);
  return config.getContextObject(config.getCurrentContext())?.namespace;
};
