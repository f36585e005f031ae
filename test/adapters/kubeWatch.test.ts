import { describe, expect, it } from "vitest";
import { kubeReaderOver } from "../../src/adapters/kube.ts";
import type { WatchEvent, WatchOptions } from "../../src/adapters/kubeReader.ts";
import type { KubeRequest, KubeTransport } from "../../src/adapters/kubeTransport.ts";

const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;

/** A server that answers every request with this text and then ends, stays open, or breaks off. */
const serving = (text: string, then: "ends" | "hangs" | "breaks", status = 200) => {
  const requests: KubeRequest[] = [];
  const body = (signal: AbortSignal): ReadableStream<Uint8Array> =>
    new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(text));
        if (then === "ends") controller.close();
        if (then === "breaks") controller.error(new TypeError("terminated"));
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
  const transport: KubeTransport = {
    send: async (request) => {
      requests.push(request);
      return { status, text: async () => text, stream: () => body(request.signal) };
    },
  };
  return { transport, requests };
};

const options = (onEvent: WatchOptions["onEvent"], more: Partial<WatchOptions> = {}): WatchOptions => ({
  kind: "AzureCluster",
  resourceVersion: "7",
  onEvent,
  signal: new AbortController().signal,
  timeoutSeconds: 60,
  ...more,
});

describe("watchKind", () => {
  it("asks for bookmarks from the given version and passes events on in order", async () => {
    const text = event("ADDED", { a: 1 }) + event("BOOKMARK", { metadata: { resourceVersion: "9" } });
    const { transport, requests } = serving(text, "ends");
    const events: WatchEvent[] = [];
    const end = await kubeReaderOver(transport).watchKind(
      options((it) => events.push(it), { namespace: "team a", labelSelector: "x=y", metadataOnly: true }),
    );
    expect(end).toEqual({ kind: "closed" });
    expect(events.map(({ type }) => type)).toEqual(["ADDED", "BOOKMARK"]);
    expect(requests.map(({ path, headers }) => ({ path, headers }))).toEqual([
      {
        path: "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/team%20a/azureclusters?watch=true&allowWatchBookmarks=true&resourceVersion=7&labelSelector=x%3Dy&timeoutSeconds=60",
        headers: { Accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" },
      },
    ]);
  });

  it.each([
    { when: "an ERROR event with 410", text: event("ERROR", { kind: "Status", code: 410 }), end: { kind: "expired" } },
    {
      when: "an ERROR event with 500",
      text: event("ERROR", { kind: "Status", code: 500, reason: "InternalError" }),
      end: { kind: "failed", failure: { kind: "transient", code: "InternalError" } },
    },
    { when: "a line that is no event", text: "oops\n", end: { kind: "failed", failure: { code: "UnreadableAnswer" } } },
    { when: "an unknown type", text: event("ODD", {}), end: { kind: "failed", failure: { code: "UnreadableAnswer" } } },
  ])("ends at $when", async ({ text, end }) => {
    const seen: WatchEvent[] = [];
    const { transport } = serving(event("ADDED", {}) + text, "hangs");
    expect(await kubeReaderOver(transport).watchKind(options((it) => seen.push(it)))).toMatchObject(end);
    expect(seen).toHaveLength(1);
  });

  it.each([
    { status: 410, end: { kind: "expired" } },
    { status: 403, end: { kind: "failed", failure: { kind: "auth" } } },
    { status: 503, end: { kind: "failed", failure: { kind: "transient", status: 503 } } },
  ])("understands status $status", async ({ status, end }) => {
    const { transport } = serving("no", "ends", status);
    expect(await kubeReaderOver(transport).watchKind(options(() => undefined))).toMatchObject(end);
  });

  it("tells a broken stream from a closed one", async () => {
    const { transport } = serving("", "breaks");
    expect(await kubeReaderOver(transport).watchKind(options(() => undefined))).toMatchObject({
      kind: "failed",
      failure: { code: "NoAnswer" },
    });
  });
  it("gives up a watch on which nothing comes", async () => {
    const { transport } = serving(event("ADDED", {}), "hangs");
    expect(await kubeReaderOver(transport).watchKind(options(() => undefined, { idleSeconds: 0.02 }))).toEqual({
      kind: "stalled",
    });
  });
  it("ends when the caller aborts, before and while it runs, even with more events at hand", async () => {
    const controller = new AbortController();
    const { transport, requests } = serving(event("ADDED", {}) + event("ADDED", {}), "hangs");
    const { signal } = controller;
    let events = 0;
    const onEvent = (): void => {
      events += 1;
      controller.abort();
    };
    expect(await kubeReaderOver(transport).watchKind(options(onEvent, { signal }))).toEqual({ kind: "aborted" });
    expect(await kubeReaderOver(transport).watchKind(options(onEvent, { signal }))).toEqual({ kind: "aborted" });
    expect(requests).toHaveLength(1);
    expect(events).toBe(1);
  });
  it("throws what the callback throws", async () => {
    const defect = new Error("defect");
    const { transport } = serving(event("ADDED", {}), "hangs");
    const watch = kubeReaderOver(transport).watchKind(
      options(() => {
        throw defect;
      }),
    );
    await expect(watch).rejects.toBe(defect);
  });
  it("refuses a kind that is not known", async () => {
    const { transport, requests } = serving("", "ends");
    expect(await kubeReaderOver(transport).watchKind({ ...options(() => undefined), kind: "Odd" })).toMatchObject({
      failure: { code: "UnknownKind" },
    });
    expect(requests).toHaveLength(0);
  });
});
