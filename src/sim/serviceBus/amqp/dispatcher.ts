import type { BrokerClock } from "../clock.ts";
import type { QueueStore } from "../journal/queueStore.ts";
import type { Queue } from "../queue/queue.ts";
import type { SubQueueName } from "../queue/storedMessage.ts";
import type { DeliveryLink } from "./deliveryLink.ts";
import type { WireMessage } from "./wireMessage.ts";

interface Lane {
  readonly links: Readonly<Record<SubQueueName, DeliveryLink[]>>;
  timer: { readonly atMs: number; readonly cancel: () => void } | undefined;
}

/** Brings messages and receivers together, and wakes each queue when something in it is due. */
export class Dispatcher {
  readonly #store: QueueStore;
  readonly #clock: BrokerClock;
  readonly #lanes = new Map<Queue<WireMessage>, Lane>();
  #stopped = false;

  constructor(store: QueueStore, clock: BrokerClock) {
    this.#store = store;
    this.#clock = clock;
    for (const queue of store.all()) {
      this.#lanes.set(queue, { links: { main: [], deadLetter: [] }, timer: undefined });
      this.wake(queue);
    }
  }

  add(link: DeliveryLink): void {
    this.#lanes.get(link.queue)?.links[link.place].push(link);
  }

  remove(link: DeliveryLink): void {
    const links = this.#lanes.get(link.queue)?.links[link.place] ?? [];
    const at = links.indexOf(link);
    if (at >= 0) links.splice(at, 1);
  }

  /** Delivers what can be delivered now. To be called whenever a queue or the credit of a link has changed. */
  wake(queue: Queue<WireMessage>): void {
    const lane = this.#lanes.get(queue);
    if (!lane || this.#stopped) return;
    this.#deliver(queue, lane, "main");
    this.#deliver(queue, lane, "deadLetter");
    this.#arm(queue, lane);
  }

  stop(): void {
    this.#stopped = true;
    for (const lane of this.#lanes.values()) lane.timer?.cancel();
  }

  /** One message to each link in turn, so that competing receivers share. */
  #deliver(queue: Queue<WireMessage>, lane: Lane, place: SubQueueName): void {
    const links = lane.links[place];
    const nowMs = this.#clock.nowMs();
    for (let refused = 0; refused < links.length && queue.hasReady(nowMs, place); ) {
      const link = links.shift()!;
      links.push(link);
      refused = link.deliverOne(nowMs) ? 0 : refused + 1;
    }
  }

  /** A timer that fires too early costs one look; so it is replaced only when it would fire too late. */
  #arm(queue: Queue<WireMessage>, lane: Lane): void {
    const atMs = queue.nextDueMs();
    if (atMs === undefined || (lane.timer && lane.timer.atMs <= atMs)) return;
    lane.timer?.cancel();
    const cancel = this.#clock.after(atMs - this.#clock.nowMs(), () => this.#onDue(queue, lane));
    lane.timer = { atMs, cancel };
  }

  #onDue(queue: Queue<WireMessage>, lane: Lane): void {
    lane.timer = undefined;
    queue.expire(this.#clock.nowMs());
    // Nobody waits for these changes; a failing disk is reported by the journal itself.
    this.#store.commit().catch(() => undefined);
    this.wake(queue);
  }
}
