import type { KubeReader } from "../adapters/kubeReader.ts";
import type { Clock, Log, WorkQueue } from "../ports.ts";
import { type Change, trackChanges } from "./changes.ts";
import type { Random } from "./delays.ts";
import { type OutboxLimits, outbox, outboxLimits } from "./outbox.ts";
import { watch } from "./watch.ts";
import { watchedKinds } from "./watchedKinds.ts";
import type { WatcherStatus } from "./watcherStatus.ts";
import { type WatchLimits, watchLimits } from "./watchLimits.ts";

export interface WatcherDeps {
  readonly reader: KubeReader;
  readonly queue: WorkQueue;
  readonly clock: Clock;
  /** Time of day in ms. */
  readonly nowMs: () => number;
  readonly random: Random;
  readonly log: Log;
}

export interface WatcherSettings {
  /** uid of the management cluster's `kube-system` namespace. */
  readonly cluster: string;
  /** Kinds for which doorbells are sent; what their turns read is watched too. */
  readonly kinds: readonly string[];
  /** Value of the label `cluster.x-k8s.io/watch-filter` of the objects to announce. Default: all objects. */
  readonly watchFilter?: string | undefined;
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly watch?: Partial<WatchLimits>;
  readonly outbox?: Partial<OutboxLimits>;
}

export interface Watcher {
  status(): WatcherStatus;
  /** Ends the watches, sends what is left for at most `drainMs`, and resolves to the number of doorbells still left. */
  stop(drainMs: number): Promise<number>;
}

/** Watches all kinds and sends doorbells until it is stopped. Nothing that server or broker do ends it. */
export const startWatcher = (deps: WatcherDeps, settings: WatcherSettings): Watcher => {
  const { clock, log } = deps;
  const kinds = watchedKinds(settings.kinds);
  const stopping = new AbortController();
  const changes = trackChanges({ reconciled: new Set(settings.kinds), watchFilter: settings.watchFilter });
  const box = outbox({
    ...deps,
    cluster: settings.cluster,
    limits: { ...outboxLimits, ...settings.outbox },
    more: (atMost) => changes.announce(atMost),
  });
  const unsettled = new Set(kinds);
  let opened = false;

  const onChange = (change: Change): void => {
    const rings = changes.apply(change);
    if (rings.length > 0) box.put(rings);
  };
  /** What is announced before all is known would have to be announced again. */
  const settle = (kind: string): void => {
    unsettled.delete(kind);
    if (opened || unsettled.size > 0) return;
    opened = true;
    changes.apply({ kind: "opened" });
    box.wake();
    log("info", "all kinds are known, their objects are announced", { objects: changes.unannounced() });
  };
  const watches = kinds.map((kind) =>
    watch({
      ...deps,
      kind,
      namespace: settings.namespace,
      limits: { ...watchLimits, ...settings.watch },
      signal: stopping.signal,
      onChange,
      onSettled: () => settle(kind),
    }),
  );
  return {
    status: () => ({
      nowMs: clock.monotonicMs(),
      kinds: watches.map((one) => {
        const status = one.status();
        return { ...status, objects: changes.count(status.kind) };
      }),
      outbox: box.status(),
      unannounced: changes.unannounced(),
      opened,
    }),
    stop: async (drainMs) => {
      stopping.abort();
      await Promise.all(watches.map(({ done }) => done));
      const left = await box.drain(drainMs);
      box.close();
      return left;
    },
  };
};
