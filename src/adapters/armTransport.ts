import type { HttpClient } from "@azure/core-rest-pipeline";

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/** Whether requests may be re-routed there: only to a server on this machine. */
export const isLocalUrl = (url: string): boolean => {
  const parsed = URL.parse(url);
  return (parsed?.protocol === "http:" || parsed?.protocol === "https:") && loopback.has(parsed.hostname);
};

/**
 * A transport for development: sends what is meant for Azure to a server on this machine. All above it (token, checks of
 * hosts, operation URLs) stays as in production. Throws for a server elsewhere.
 */
export const localTransport = async (baseUrl: string): Promise<HttpClient> => {
  if (!isLocalUrl(baseUrl)) throw new Error("requests to Azure can be re-routed only to this machine");
  const { createDefaultHttpClient } = await import("@azure/core-rest-pipeline");
  const inner = createDefaultHttpClient();
  const base = new URL(baseUrl).origin;
  return {
    sendRequest: async (request) => {
      const { pathname, search } = new URL(request.url);
      const url = base + pathname + search;
      const response = await inner.sendRequest({ ...request, url, allowInsecureConnection: true });
      return { ...response, request };
    },
  };
};
