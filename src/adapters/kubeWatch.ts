import type { KindEntry } from "../api/registry.ts";
import { limits } from "../core/chain/limits.ts";
import type { JsonObject } from "../core/types.ts";
import { isJsonObject } from "../wire/json.ts";
import { kubeFailure, noKubeAnswer } from "./kubeErrors.ts";
import { kubeLines } from "./kubeLines.ts";
import { accept } from "./kubeListPage.ts";
import { collectionPath, queryOf } from "./kubePaths.ts";
import type { WatchEnd, WatchEvent, WatchOptions } from "./kubeReader.ts";
import type { KubeResponse, KubeTransport } from "./kubeTransport.ts";
import { parseJson } from "./parseJson.ts";

const defaultIdleSeconds = 150;
/** How long the server may take beyond its own time-out to end the stream. */
const graceSeconds = 30;

const eventTypes: ReadonlySet<unknown> = new Set<WatchEvent["type"]>(["ADDED", "MODIFIED", "DELETED", "BOOKMARK"]);

type Line = { readonly kind: "event"; readonly event: WatchEvent } | { readonly kind: "end"; readonly end: WatchEnd };

const unreadable: WatchEnd = {
  kind: "failed",
  failure: { kind: "transient", code: "UnreadableAnswer", message: "the API server sent a watch event that is none" },
};

/** An ERROR event carries a Status; 410 means that the resourceVersion is too old. */
const endOf = (status: JsonObject, plural: string): WatchEnd => {
  const code = typeof status["code"] === "number" ? status["code"] : 500;
  if (code === 410) return { kind: "expired" };
  return { kind: "failed", failure: kubeFailure({ status: code, text: JSON.stringify(status) }, { plural }) };
};

const parseLine = (line: string, plural: string): Line => {
  const value = parseJson(line);
  if (!isJsonObject(value) || !isJsonObject(value["object"])) return { kind: "end", end: unreadable };
  const { type, object } = value;
  if (type === "ERROR") return { kind: "end", end: endOf(object, plural) };
  if (!eventTypes.has(type)) return { kind: "end", end: unreadable };
  // The one cast: the set above holds just the types of an event.
  return { kind: "event", event: { type: type as WatchEvent["type"], object } };
};

/** Aborts when it is not fed in time. */
const watchdog = (): { readonly signal: AbortSignal; feed(seconds: number): void; stop(): void } => {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const feed = (seconds: number): void => {
    stop();
    timer = setTimeout(() => controller.abort(), seconds * 1000);
  };
  return { signal: controller.signal, feed, stop };
};

/** Why reading stopped with an exception that is not the caller's own. */
const brokenOff = (error: unknown, caller: AbortSignal, idle: AbortSignal): WatchEnd => {
  if (caller.aborted) return { kind: "aborted" };
  if (idle.aborted) return { kind: "stalled" };
  return { kind: "failed", failure: noKubeAnswer(error) };
};

const open = (
  transport: KubeTransport,
  entry: KindEntry,
  { namespace, labelSelector, metadataOnly, resourceVersion, timeoutSeconds }: WatchOptions,
  signal: AbortSignal,
): Promise<KubeResponse> => {
  const query = queryOf({ watch: true, allowWatchBookmarks: true, resourceVersion, labelSelector, timeoutSeconds });
  return transport.send({
    method: "GET",
    path: collectionPath(entry, namespace) + query,
    headers: { Accept: metadataOnly === true ? accept("PartialObjectMetadata") : "application/json" },
    signal,
  });
};

/** What the caller threw out of `onEvent`: a defect of his, not an end of the watch. */
class CallbackError extends Error {}

const read = async (
  stream: ReadableStream<Uint8Array>,
  plural: string,
  fed: () => void,
  { onEvent, signal }: WatchOptions,
): Promise<WatchEnd> => {
  for await (const text of kubeLines(stream)) {
    // Lines that came in one piece with the last event are not for a caller who has had enough.
    if (signal.aborted) return { kind: "aborted" };
    fed();
    const line = parseLine(text, plural);
    if (line.kind === "end") return line.end;
    try {
      onEvent(line.event);
    } catch (cause) {
      throw new CallbackError("onEvent failed", { cause });
    }
  }
  return { kind: "closed" };
};

/** Follows the changes of one kind until the stream ends, for whatever reason. Never throws but what `onEvent` throws. */
export const watchKube = async (
  transport: KubeTransport,
  entry: KindEntry,
  options: WatchOptions,
): Promise<WatchEnd> => {
  const { signal: caller, timeoutSeconds, idleSeconds = defaultIdleSeconds } = options;
  if (caller.aborted) return { kind: "aborted" };
  const dog = watchdog();
  dog.feed(limits.kubeRequestMs / 1000);
  const signal = AbortSignal.any([caller, dog.signal, AbortSignal.timeout((timeoutSeconds + graceSeconds) * 1000)]);
  try {
    const response = await open(transport, entry, options, signal);
    if (response.status === 410) return { kind: "expired" };
    if (response.status !== 200) {
      const failure = kubeFailure({ ...response, text: await response.text() }, { plural: entry.plural });
      return { kind: "failed", failure };
    }
    const stream = response.stream();
    if (stream === undefined) return { kind: "closed" };
    const feed = (): void => dog.feed(idleSeconds);
    feed();
    return await read(stream, entry.plural, feed, options);
  } catch (error) {
    if (error instanceof CallbackError) throw error.cause;
    return brokenOff(error, caller, dog.signal);
  } finally {
    dog.stop();
  }
};
