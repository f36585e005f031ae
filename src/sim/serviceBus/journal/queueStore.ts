import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { WireMessage } from "../amqp/wireMessage.ts";
import { Queue } from "../queue/queue.ts";
import { type QueueOptions, queueSettings } from "../queue/queueOptions.ts";
import type { Change } from "../queue/storedMessage.ts";
import { lockDirectory } from "./directoryLock.ts";
import { Journal } from "./journal.ts";
import { decodeRecord, encodeRecord } from "./journalRecord.ts";
import { readJournal } from "./readJournal.ts";

export interface QueueStoreOptions {
  readonly queues: readonly QueueOptions[];
  /** Where the journal lies; absent: everything is in memory only. */
  readonly directory?: string;
  readonly sync?: boolean;
  readonly compactFromBytes?: number;
  readonly onFailure: (error: Error) => void;
}

const keyOf = (name: string): string => name.toLowerCase();

/** The queues of a broker and, if it has one, the journal that keeps them over a crash. */
export class QueueStore {
  readonly #queues = new Map<string, Queue<WireMessage>>();
  /** Queues found in the journal that are not asked for now: kept for the day they are asked for again. */
  readonly #dormant = new Map<string, Queue<WireMessage>>();
  #journal: Journal | undefined;
  #unlock: (() => Promise<void>) | undefined;

  /** Opens the queues with what the journal holds of them. Throws when options or journal are unusable. */
  static async open(options: QueueStoreOptions): Promise<QueueStore> {
    const store = new QueueStore(options.queues);
    if (options.directory === undefined) return store;
    store.#unlock = await lockDirectory(options.directory);
    try {
      const path = join(options.directory, "journal.jsonl");
      for await (const line of readJournal(path)) store.#replay(line);
      const { sync = false, compactFromBytes, onFailure } = options;
      store.#journal = await Journal.open({
        path,
        sync,
        ...(compactFromBytes !== undefined && { compactFromBytes }),
        onFailure,
        snapshot: () => store.#snapshot(),
        liveBytes: () => store.#liveBytes(),
      });
      return store;
    } catch (error) {
      await store.#unlock();
      throw error;
    }
  }

  private constructor(queues: readonly QueueOptions[]) {
    for (const options of queues) {
      const key = keyOf(options.name);
      if (this.#queues.has(key)) throw new Error(`queue ${JSON.stringify(options.name)} is listed twice`);
      this.#queues.set(key, this.#create(options));
    }
  }

  find(name: string): Queue<WireMessage> | undefined {
    return this.#queues.get(keyOf(name));
  }

  all(): Iterable<Queue<WireMessage>> {
    return this.#queues.values();
  }

  /** Resolves when all changes so far are safe; rejects when they could not be made safe. */
  commit(): Promise<void> {
    return this.#journal?.commit() ?? Promise.resolve();
  }

  async close(): Promise<void> {
    try {
      await this.#journal?.close();
    } finally {
      await this.#unlock?.();
    }
  }

  #create(options: QueueOptions): Queue<WireMessage> {
    const record = (change: Change<WireMessage>) =>
      this.#journal?.append(encodeRecord({ queue: options.name, change }));
    return new Queue(queueSettings(options), { newLockToken: randomUUID, record });
  }

  #replay(line: unknown): void {
    const { queue: name, change } = decodeRecord(line);
    let queue = this.find(name) ?? this.#dormant.get(keyOf(name));
    if (!queue) {
      queue = this.#create({ name });
      this.#dormant.set(keyOf(name), queue);
    }
    queue.replay(change);
  }

  /** All snapshots are taken at once; only the encoding is left for later. */
  #snapshot(): Iterable<string> {
    const parts = [...this.#queues.values(), ...this.#dormant.values()].map((queue) => ({
      name: queue.settings.name,
      changes: queue.snapshot(),
    }));
    return (function* () {
      for (const { name, changes } of parts) for (const change of changes) yield encodeRecord({ queue: name, change });
    })();
  }

  #liveBytes(): number {
    let bytes = 0;
    for (const queue of [...this.#queues.values(), ...this.#dormant.values()])
      for (const change of queue.snapshot()) bytes += roughBytes(change);
    return bytes;
  }
}

/** Length of a line without making it: base64 takes four bytes for three, names and numbers some two hundred. */
const roughBytes = (change: Change<WireMessage>): number => {
  switch (change.kind) {
    case "added":
      return 250 + Math.ceil(change.message.body.rest.length / 3) * 4;
    case "remembered":
      return change.entries.reduce((sum, [id]) => sum + id.length + 20, 50);
    case "numbered":
    case "activated":
    case "attempted":
    case "deadLettered":
    case "removed":
      return 100;
  }
};
