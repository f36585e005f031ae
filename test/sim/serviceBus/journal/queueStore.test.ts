import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { WireMessage } from "../../../../src/sim/serviceBus/amqp/wireMessage.ts";
import { QueueStore, type QueueStoreOptions } from "../../../../src/sim/serviceBus/journal/queueStore.ts";
import type { NewMessage } from "../../../../src/sim/serviceBus/queue/storedMessage.ts";
import { tempFolder } from "./tempFolder.ts";

const queues = [{ name: "q", maxDeliveryCount: 2, duplicateDetectionSeconds: 10 }, { name: "other" }];
const open = (directory: string, more: Partial<QueueStoreOptions> = {}) =>
  QueueStore.open({
    queues,
    directory,
    onFailure: (error) => {
      throw error;
    },
    ...more,
  });

const message = (id: string, more: Partial<NewMessage<WireMessage>> = {}): NewMessage<WireMessage> => ({
  id,
  body: { annotations: [Buffer.from("a")], rest: Buffer.from(id), priority: 3 },
  ...more,
});

describe("QueueStore", () => {
  it("has after a restart what it had before, except locks", async () => {
    const directory = await tempFolder();
    const store = await open(directory);
    const queue = store.find("Q")!;
    queue.send(0, [
      message("done"),
      message("dead"),
      message("failed"),
      message("held"),
      message("late", { scheduledForMs: 900 }),
    ]);
    store.find("other")?.send(0, [message("elsewhere")]);
    queue.complete(0, queue.receive(0)!.lockToken);
    const changed = { annotations: [], rest: Buffer.from("changed") };
    queue.deadLetter(0, queue.receive(0)!.lockToken, { reason: "R" }, changed);
    queue.abandon(0, queue.receive(0)!.lockToken);
    queue.receive(0);
    const before = { main: queue.peek(0, 0, 9), dead: queue.peek(0, 0, 9, "deadLetter") };
    await store.commit();
    await store.close();

    const restarted = await open(directory);
    const again = restarted.find("q")!;
    expect({ main: again.peek(0, 0, 9), dead: again.peek(0, 0, 9, "deadLetter") }).toEqual(before);
    expect(again.counts(0)).toEqual({ active: 2, locked: 0, scheduled: 1, deadLetter: 1 });
    expect(again.send(9_999, [message("done")])).toEqual([0]);
    expect(restarted.find("other")?.counts(0).active).toBe(1);
    await restarted.close();
  });

  it("never gives a sequence number twice, not even over a restart with nothing left", async () => {
    const directory = await tempFolder();
    const store = await open(directory);
    store.find("q")!.send(0, [message("a")]);
    store.find("q")!.receiveAndDelete(0);
    await store.close();
    await (await open(directory)).close();
    const restarted = await open(directory);
    expect(restarted.find("q")!.send(0, [message("b")])).toEqual([2]);
    await restarted.close();
  });

  it("moves a message to the dead-letter queue in one line", async () => {
    const directory = await tempFolder();
    const store = await open(directory);
    const queue = store.find("q")!;
    queue.send(0, [message("a")]);
    await store.commit();
    const lines = async () => (await readFile(join(directory, "journal.jsonl"), "utf8")).trimEnd().split("\n").length;
    const before = await lines();
    queue.deadLetter(0, queue.receive(0)!.lockToken, {});
    await store.commit();
    expect(await lines()).toBe(before + 1);
    await store.close();
  });

  it("starts after a crash in the middle of a line", async () => {
    const directory = await tempFolder();
    const store = await open(directory);
    store.find("q")!.send(0, [message("a")]);
    await store.close();
    await appendFile(join(directory, "journal.jsonl"), '{"queue":"q","change":{"kind":"add');
    for (let start = 0; start < 2; start += 1) {
      const restarted = await open(directory);
      expect(restarted.find("q")?.counts(0).active).toBe(1);
      await restarted.close();
    }
  });

  it("keeps the messages of a queue that is not asked for", async () => {
    const directory = await tempFolder();
    const store = await open(directory);
    store.find("other")!.send(0, [message("a")]);
    await store.close();
    const without = await open(directory, { queues: [{ name: "q" }] });
    expect(without.find("other")).toBeUndefined();
    await without.close();
    const restarted = await open(directory);
    expect(restarted.find("other")!.counts(0).active).toBe(1);
    await restarted.close();
  });

  it("refuses two queues of one name", async () =>
    expect(open(await tempFolder(), { queues: [{ name: "a" }, { name: "A" }] })).rejects.toThrow("listed twice"));

  it("leaves the folder free when it cannot start", async () => {
    const directory = await tempFolder();
    await appendFile(join(directory, "journal.jsonl"), "damaged\n{}\n");
    await expect(open(directory)).rejects.toThrow("damaged in line 1");
    await expect(readFile(join(directory, "lock"))).rejects.toThrow("ENOENT");
  });
});
