import { afterEach, describe, expect, it } from "vitest";
import { deadAfterMs } from "../../src/watcher/health.ts";
import { type HealthServer, startHealthServer } from "../../src/watcher/server.ts";
import type { WatcherStatus } from "../../src/watcher/watcherStatus.ts";
import { aStatus, watching } from "./support/status.ts";

let server: HealthServer | undefined;
afterEach(() => server?.close());
const ask = async (path: string, status: WatcherStatus | undefined): Promise<readonly [number, string]> => {
  server = await startHealthServer({ host: "127.0.0.1", port: 0 }, () => status);
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`);
  return [response.status, await response.text()];
};

describe("the health server", () => {
  const blind = aStatus({ nowMs: 2 * deadAfterMs, kinds: [watching({ progressMs: 0 })] });
  it.each([
    { path: "/healthz", status: aStatus({}), answer: [200, "ok\n"] },
    { path: "/healthz", status: undefined, answer: [200, "ok\n"] },
    {
      path: "/healthz",
      status: blind,
      answer: [503, "watch of AzureCluster: neither event, bookmark nor list for 1200 s\n"],
    },
    { path: "/readyz", status: aStatus({}), answer: [200, "ok\n"] },
    { path: "/readyz", status: undefined, answer: [503, "the API server did not answer yet\n"] },
    { path: "/readyz", status: aStatus({ opened: false }), answer: [503, "announcements have not begun\n"] },
    { path: "/else", status: aStatus({}), answer: [404, "not found\n"] },
  ])("answers $path with $answer", async ({ path, status, answer }) => {
    expect(await ask(path, status)).toEqual(answer);
  });
  it("shows numbers in the text format of Prometheus", async () => {
    const events = { ADDED: 1, MODIFIED: 2, DELETED: 3, BOOKMARK: 4 };
    const [, text] = await ask(
      "/metrics",
      aStatus({
        nowMs: 5_000,
        kinds: [watching({ objects: 7, lists: 2, events, ends: { closed: 4, expired: 1 }, progressMs: 2_000 })],
        outbox: { size: 3, oldestMs: 1_000, sent: 11, failed: 12 },
      }),
    );
    expect(text).toMatch(/^(# (HELP|TYPE) capstan_watcher_\w+ .+\n|capstan_watcher_\w+(\{[^}]*\})? [\d.]+\n)+$/);
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        'capstan_watcher_objects{kind="AzureCluster"} 7',
        'capstan_watcher_events_total{kind="AzureCluster",type="bookmark"} 4',
        'capstan_watcher_lists_total{kind="AzureCluster"} 2',
        'capstan_watcher_watch_ends_total{kind="AzureCluster",reason="expired"} 1',
        'capstan_watcher_progress_age_seconds{kind="AzureCluster"} 3',
        'capstan_watcher_doorbells_total{result="sent"} 11',
        'capstan_watcher_doorbells_total{result="failed"} 12',
        "capstan_watcher_outbox_size 3",
        "capstan_watcher_outbox_oldest_age_seconds 4",
        "capstan_watcher_ready 1",
      ]),
    );
  });
});
