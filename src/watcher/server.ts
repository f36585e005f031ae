import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { deadlyProblems, missingForReady } from "./health.ts";
import { metricsText } from "./metrics.ts";
import type { WatcherStatus } from "./watcherStatus.ts";

export interface HealthServer {
  readonly port: number;
  close(): Promise<void>;
}

const answer = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
};

const answerProblems = (response: ServerResponse, problems: readonly string[]): void =>
  problems.length === 0 ? answer(response, 200, "ok\n") : answer(response, 503, `${problems.join("\n")}\n`);

/**
 * Serves `/healthz`, `/readyz` and `/metrics`. While the status is still undefined, before the cluster is known, the
 * watcher lives and is not ready. Port 0: any free one. Rejects when the port is taken.
 */
export const startHealthServer = async (
  at: { readonly host: string; readonly port: number },
  status: () => WatcherStatus | undefined,
): Promise<HealthServer> => {
  const server = createServer((request, response) => {
    const now = status();
    switch (request.url) {
      case "/healthz":
        return answerProblems(response, now === undefined ? [] : deadlyProblems(now));
      case "/readyz":
        return answerProblems(
          response,
          now === undefined ? ["the API server did not answer yet"] : missingForReady(now),
        );
      case "/metrics":
        return answer(response, 200, now === undefined ? "" : metricsText(now));
      default:
        return answer(response, 404, "not found\n");
    }
  });
  server.listen(at.port, at.host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : at.port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
};
