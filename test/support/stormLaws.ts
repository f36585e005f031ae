import { partitionOf } from "../../src/engine/ledger.ts";
import type { Call } from "./intercept.ts";
import type { Handler } from "./storm.ts";
import { clusterUid, type World } from "./world.ts";

/** What must hold of every write to Azure, whatever else happens. */
export interface Laws {
  /** Laws that were broken, in words. */
  readonly broken: readonly string[];
  /** A call is on its way and may arrive until that time; the answer says that it has arrived, or never will. */
  sent(handler: Handler, call: Call, untilMs: number): () => void;
  /** A call reaches the outside now. */
  arriving(handler: Handler, call: Call): void;
  /** The tables were lost: a turn under way is not fenced until its lease would have ended. */
  unfencedUntil(ms: number): void;
}

interface Flight {
  readonly handler: Handler;
  readonly untilMs: number;
}

const partition = partitionOf(clusterUid, { kind: "AzureCluster", namespace: "default", name: "c1" });
const resourceOf = (path: string): string =>
  (path.split(/\/providers\/Microsoft\.Resources\/tags\//i)[0] ?? path).toLowerCase();

/** `foreign`: ids, in lower case, of what nobody may write to. */
export const createLaws = (world: World, foreign: ReadonlySet<string>): Laws => {
  const broken: string[] = [];
  const flights = new Map<string, Set<Flight>>();
  let unfencedUntilMs = 0;
  const pausedSince = pauseOf(world);

  const sent: Laws["sent"] = (handler, { name, path, port, writes }, untilMs) => {
    if (port !== "arm" || !writes) return () => undefined;
    const nowMs = world.clock.nowMs();
    const own: Flight = { handler, untilMs };
    const there = flights.get(path) ?? new Set<Flight>();
    flights.set(path, there);
    const others = [...there].filter((one) => one.handler !== handler && !one.handler.dead && one.untilMs > nowMs);
    if (others.length > 0 && nowMs >= unfencedUntilMs) broken.push(`${name} ${path} while another one is in flight`);
    there.add(own);
    return () => void there.delete(own);
  };

  const arriving: Laws["arriving"] = (handler, { name, path, port, writes }) => {
    if (port !== "arm" || !writes) return;
    if (foreign.has(resourceOf(path))) broken.push(`${name} ${path}, which is not ours`);
    if (world.clock.nowMs() < unfencedUntilMs) return;
    if (isTaken(world, handler)) broken.push(`${name} ${path} after another turn took the lease`);
    if (wasPauseSeen(world, pausedSince())) broken.push(`${name} ${path} after a turn has seen the pause`);
  };

  return {
    broken,
    sent,
    arriving,
    unfencedUntil: (ms) => {
      unfencedUntilMs = ms;
    },
  };
};

/** Lines of the log when the pause that lasts began; undefined while there is none. */
const pauseOf = (world: World): (() => number | undefined) => {
  let since: number | undefined;
  world.objects.onChange((after) => {
    if (after?.kind !== "AzureCluster") return;
    const isPaused = after.metadata.annotations["cluster.x-k8s.io/paused"] !== undefined;
    since = isPaused ? (since ?? world.logs.length) : undefined;
  });
  return () => since;
};

const isTaken = (world: World, handler: Handler): boolean => {
  const row = world.tables.rows("state").find((one) => one.partition === partition && one.row === "object");
  const nonce = row?.values["leaseNonce"];
  return typeof nonce === "string" && !handler.nonces.has(nonce);
};

const wasPauseSeen = (world: World, since: number | undefined): boolean =>
  since !== undefined &&
  world.logs.slice(since).some(({ message, fields }) => message === "turn finished" && fields["result"] === "paused");
