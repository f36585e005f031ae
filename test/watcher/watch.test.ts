import { describe, expect, it } from "vitest";
import type { KubeReader, ListedPage, WatchEnd, WatchEvent } from "../../src/adapters/kubeReader.ts";
import type { Failure, JsonObject, Result } from "../../src/core/types.ts";
import type { Change } from "../../src/watcher/changes.ts";
import { keyText } from "../../src/watcher/objectIndex.ts";
import { watch } from "../../src/watcher/watch.ts";
import { watchLimits } from "../../src/watcher/watchLimits.ts";

const body = (name: string, resourceVersion: string): JsonObject => ({
  metadata: { name, namespace: "ns", uid: name, resourceVersion },
});
const event = (type: WatchEvent["type"], name: string, resourceVersion: string): WatchEvent => ({
  type,
  object: body(name, resourceVersion),
});
const bookmark = (resourceVersion: string): WatchEvent => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion } },
});
const failure = (status: number | undefined, kind: Failure["kind"] = "transient"): Failure => ({
  kind,
  code: "Trouble",
  message: "",
  ...(status === undefined ? {} : { status }),
});

type Listing = Result<readonly string[]>;
type Watching = WatchEnd & { readonly events?: readonly WatchEvent[]; readonly throws?: boolean };
interface Script {
  /** Names of the objects, in pages of two. */
  readonly lists: readonly Listing[];
  readonly watches: readonly Watching[];
}

/** A server that answers as written and then holds still. */
const serving = ({ lists, watches }: Script, onEnd: () => void) => {
  const calls: string[] = [];
  const [listings, watchings] = [[...lists], [...watches]];
  let listed = 0;
  const untilAborted = (signal: AbortSignal | undefined): Promise<never> => {
    onEnd();
    return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  const reader: KubeReader = {
    listPage: async ({ continueToken = "0", onObject, signal, namespace = "" }) => {
      const from = Number(continueToken);
      if (from === 0) calls.push(`list${namespace}`);
      const listing = listings[0];
      if (listing === undefined)
        return untilAborted(signal).catch((): Result<ListedPage> => ({ ok: false, error: failure(undefined) }));
      if (!listing.ok) {
        listings.shift();
        return listing;
      }
      const page = listing.value.slice(from, from + 2);
      for (const name of page) onObject(body(name, "1"));
      if (from + 2 < listing.value.length)
        return { ok: true, value: { resourceVersion: "?", continueToken: String(from + 2) } };
      listings.shift();
      listed += 1;
      return { ok: true, value: { resourceVersion: `L${listed}` } };
    },
    watchKind: async ({ resourceVersion, onEvent, signal }) => {
      calls.push(`watch ${resourceVersion}`);
      const next = watchings.shift();
      if (next === undefined) return untilAborted(signal).catch((): WatchEnd => ({ kind: "aborted" }));
      for (const one of next.events ?? []) onEvent(one);
      if (next.throws === true) throw new Error("defect");
      return next;
    },
  };
  return { reader, calls };
};

const describeChange = (change: Change): string => {
  switch (change.kind) {
    case "seen":
      return `seen ${change.projection.name}@${change.projection.resourceVersion}`;
    case "gone":
      return `gone ${keyText(change.projection)}`;
    case "listed":
      return `listed ${[...change.present].map((text) => text.split("/").at(-1)).join(" ")}`;
    case "opened":
      return "opened";
  }
};

const limits = { ...watchLimits, firstBackoffMs: 1, mostBackoffMs: 1, missingMs: 1 };
/** Runs a script to its end; the clock moves by a millisecond a look. */
const play = async (script: Script, more: { readonly relistMs?: number; readonly throwOn?: string } = {}) => {
  const changes: Change[] = [];
  const settledAfter: number[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const { reader, calls } = serving(script, resolve);
  const stopping = new AbortController();
  let nowMs = 0;
  const running = watch({
    kind: "AzureCluster",
    reader,
    clock: { monotonicMs: () => (nowMs += 1) },
    random: () => 0.5,
    log: () => undefined,
    limits: { ...limits, ...(more.relistMs === undefined ? {} : { relistMs: more.relistMs }) },
    signal: stopping.signal,
    onChange: (change) => {
      if (change.kind === "seen" && change.projection.name === more.throwOn) throw new Error("defect");
      changes.push(change);
    },
    onSettled: () => settledAfter.push(calls.length),
  });
  await ended;
  const status = running.status();
  stopping.abort();
  await running.done;
  const told = changes.map(describeChange);
  return { calls, told, status, settledAfter, after: running.status() };
};
const list = (...names: readonly string[]): Listing => ({ ok: true, value: names });

describe("the watch of a kind", () => {
  it("lists in pages, then follows from the version of the list", async () => {
    const { calls, told, status, after } = await play({
      lists: [list("a", "b", "c")],
      watches: [{ kind: "closed", events: [event("ADDED", "d", "5"), event("DELETED", "a", "6")] }],
    });
    expect(told).toEqual(["seen a@1", "seen b@1", "seen c@1", "listed a b c", "seen d@5", "gone AzureCluster/ns/a"]);
    expect(calls).toEqual(["list", "watch L1", "watch 6"]);
    expect(status).toMatchObject({ synced: true, phase: "watching", lists: 1, ends: { closed: 1 } });
    expect(after.phase).toBe("stopped");
  });

  it.each<{
    readonly when: string;
    readonly ends: readonly Watching[];
    readonly lists?: readonly Listing[];
    readonly calls: readonly string[];
  }>([
    { when: "the server closes it", ends: [{ kind: "closed" }], calls: ["list", "watch L1", "watch L1"] },
    {
      when: "a bookmark moved it on",
      ends: [{ kind: "closed", events: [bookmark("8")] }],
      calls: ["list", "watch L1", "watch 8"],
    },
    { when: "nothing came for long", ends: [{ kind: "stalled" }], calls: ["list", "watch L1", "watch L1"] },
    {
      when: "the connection breaks, again and again",
      ends: [
        { kind: "failed", failure: failure(undefined), events: [event("MODIFIED", "a", "3")] },
        { kind: "failed", failure: failure(undefined) },
        { kind: "failed", failure: failure(undefined) },
      ],
      calls: ["list", "watch L1", "watch 3", "watch 3", "watch 3"],
    },
    {
      when: "the version is too old, and the list fails at first",
      ends: [{ kind: "expired" }],
      lists: [list("a"), { ok: false, error: failure(503) }, { ok: false, error: failure(undefined) }, list("b")],
      calls: ["list", "watch L1", "list", "list", "list", "watch L2"],
    },
    {
      when: "the server refuses to go on",
      ends: [{ kind: "failed", failure: failure(403, "auth") }],
      lists: [list("a"), list("a")],
      calls: ["list", "watch L1", "list", "watch L2"],
    },
    {
      when: "our own code throws",
      ends: [{ kind: "closed", throws: true }],
      lists: [list("a"), list("a")],
      calls: ["list", "watch L1", "list", "watch L2"],
    },
  ])("goes on when $when", async ({ ends, lists = [list("a")], calls }) => {
    expect((await play({ lists, watches: ends })).calls).toEqual(calls);
  });

  it("lists anew when the pages of a list became too old", async () => {
    const { told } = await play({ lists: [{ ok: false, error: failure(410) }, list("a")], watches: [] });
    expect(told).toEqual(["seen a@1", "listed a"]);
  });
  it("lists anew from time to time, and only a complete list says what is gone", async () => {
    const { told, calls } = await play({ lists: [list("a", "b"), list("b")], watches: [] }, { relistMs: 1 });
    expect(told).toEqual(["seen a@1", "seen b@1", "listed a b", "seen b@1", "listed b"]);
    expect(calls).toEqual(["list", "list", "list"]);
  });
  it("passes over what is no object", async () => {
    const odd: WatchEvent = { type: "ADDED", object: { metadata: { name: "odd", resourceVersion: "9" } } };
    const { told, calls } = await play({ lists: [list()], watches: [{ kind: "closed", events: [odd] }] });
    expect(told).toEqual(["listed "]);
    expect(calls.at(-1)).toBe("watch 9");
  });
  it("passes over a change that cannot be taken in, and says so", async () => {
    const script: Script = {
      lists: [list("bad", "a")],
      watches: [{ kind: "closed", events: [event("MODIFIED", "bad", "3")] }],
    };
    const { told, calls, status } = await play(script, { throwOn: "bad" });
    expect(told).toEqual(["seen a@1", "listed bad a"]);
    expect(calls).toEqual(["list", "watch L1", "watch 3"]);
    expect(status.defects).toBe(2);
  });

  it.each<{ readonly when: string; readonly failures: readonly Failure[]; readonly settledAfter: readonly number[] }>([
    { when: "the kind is missing: at once", failures: [failure(404, "dependency")], settledAfter: [1, 2] },
    { when: "it is forbidden: at once", failures: [failure(403, "auth")], settledAfter: [1, 2] },
    {
      when: "the server has trouble: after three attempts",
      failures: [failure(500), failure(500), failure(500)],
      settledAfter: [3, 4],
    },
    {
      when: "there is no answer: with the list",
      failures: [failure(undefined), failure(undefined), failure(undefined), failure(undefined)],
      settledAfter: [5],
    },
  ])("lets the others go on when $when", async ({ failures, settledAfter }) => {
    const script = { lists: [...failures.map((error) => ({ ok: false, error }) as const), list("a")], watches: [] };
    expect((await play(script)).settledAfter).toEqual(settledAfter);
  });
  it("says that a kind is missing, and finds it when it comes", async () => {
    const missing = { ok: false, error: failure(404, "dependency") } as const;
    expect((await play({ lists: [missing], watches: [] })).status).toMatchObject({ phase: "missing", synced: false });
    expect((await play({ lists: [missing, missing, missing, missing, list()], watches: [] })).status).toMatchObject({
      phase: "watching",
      synced: true,
    });
  });
});
