import { setTimeout as sleep } from "node:timers/promises";
import { ServiceBusClient } from "@azure/service-bus";
import { afterEach, describe, expect, it } from "vitest";
import { serviceBus } from "../../src/adapters/serviceBus.ts";
import { type ServiceBusConnection, serviceBusConnection } from "../../src/adapters/serviceBusClient.ts";
import { serviceBusReplay } from "../../src/adapters/serviceBusReplay.ts";
import type { Json } from "../../src/core/types.ts";
import { type Broker, startBroker } from "../../src/sim/serviceBus/startBroker.ts";
import { must } from "../support/contracts/must.ts";
import { type QueueWorld, queueContract, type Received } from "../support/contracts/queueContract.ts";

const queues = [
  { name: "reconcile", lockSeconds: 60, maxDeliveryCount: 2, duplicateDetectionSeconds: 600 },
  { name: "reconcile-failed", duplicateDetectionSeconds: 600 },
];

interface Opened {
  readonly broker: Broker;
  readonly connection: ServiceBusConnection;
}
const opened: Opened[] = [];
const open = async (): Promise<Opened> => {
  const broker = await startBroker({ queues });
  const source = { kind: "connectionString", connectionString: broker.connectionString } as const;
  const made = { broker, connection: serviceBusConnection(source) };
  opened.push(made);
  return made;
};
const close = async ({ broker, connection }: Opened): Promise<void> => {
  await connection.close();
  await broker.stop();
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map(close));
});

/** With a plain client of its own, so that the adapter is not held to itself. */
const take = async ({ broker }: Opened, queue: string): Promise<readonly Received[]> => {
  const client = new ServiceBusClient(broker.connectionString);
  const receiver = client.createReceiver(queue);
  const found: Received[] = [];
  while (broker.counts(queue).active > 0) {
    for (const message of await receiver.receiveMessages(50, { maxWaitTimeInMs: 500 })) {
      expect(message.contentType).toBe("application/json");
      found.push({ messageId: String(message.messageId), body: message.body as Json });
      await receiver.completeMessage(message);
    }
  }
  await client.close();
  return found;
};

const makeWorld = async (): Promise<QueueWorld> => {
  const made = await open();
  return {
    queue: serviceBus(made.connection),
    take: (queue) => take(made, queue),
    pass: async (ms) => {
      await sleep(ms);
    },
    stop: () => Promise.resolve(),
  };
};

queueContract(makeWorld);

describe("the Service Bus adapter", () => {
  it("refuses a message that no batch takes, without its content", async () => {
    const { connection } = await open();
    const large = { messageId: "large", body: { text: "hunter2".repeat(60_000) } };
    const answers = [
      await serviceBus(connection).send("reconcile", [large]),
      await serviceBus(connection).send("reconcile", [large, { messageId: "b", body: {} }]),
    ];
    for (const answer of answers) expect(answer.ok).toBe(false);
    expect(answers[1]).toMatchObject({ error: { code: "MessageTooLarge" } });
    expect(JSON.stringify(answers)).not.toContain("hunter2");
  });

  it("fails while the broker is away and works when it is back", async () => {
    const { broker, connection } = await open();
    const queue = serviceBus(connection);
    must(await queue.send("reconcile", [{ messageId: "a", body: {} }]));
    await broker.stop();
    expect(await queue.send("reconcile", [{ messageId: "b", body: {} }])).toMatchObject({
      ok: false,
      error: { kind: "transient" },
    });
    const back = await startBroker({ queues, port: broker.port });
    try {
      must(await queue.send("reconcile", [{ messageId: "b", body: {} }]));
      expect(back.counts("reconcile").active).toBe(1);
    } finally {
      await connection.close();
      await back.stop();
    }
  });

  it("shows no connection string in a failure", async () => {
    const connectionString =
      "Endpoint=sb://127.0.0.1:1;SharedAccessKeyName=n;SharedAccessKey=hunter2;UseDevelopmentEmulator=true";
    const connection = serviceBusConnection({ kind: "connectionString", connectionString });
    const answer = await serviceBus(connection).send("reconcile", [{ messageId: "a", body: {} }]);
    expect(answer).toMatchObject({ ok: false, error: { kind: "transient" } });
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|127\.0\.0\.1/);
    await connection.close();
  });
});

describe("parked messages", () => {
  const park = async (count: number): Promise<Opened> => {
    const made = await open();
    const bodies = Array.from({ length: count }, (_, n) => ({ messageId: `m${n}`, body: { n } }));
    must(await serviceBus(made.connection).send("reconcile-failed", bodies));
    return made;
  };

  it("are peeked at again and again, and stay", async () => {
    const { connection, broker } = await park(3);
    const replay = serviceBusReplay(connection);
    for (let looks = 0; looks < 2; looks += 1) {
      const found = must(await replay.peek("failed", 2));
      expect(found).toMatchObject([
        { messageId: "m0", body: { n: 0 } },
        { messageId: "m1", body: { n: 1 } },
      ]);
    }
    expect(broker.counts("reconcile-failed").active).toBe(3);
  });

  it("are settled one by one, each in its own way", async () => {
    const { connection, broker } = await park(4);
    const replay = serviceBusReplay(connection);
    const held = must(await replay.receive("failed", 10));
    expect(held.map(({ messageId }) => messageId)).toEqual(["m0", "m1", "m2", "m3"]);
    await Promise.all(held.map((message, index) => (index % 2 === 0 ? message.complete() : message.abandon())));
    expect(broker.counts("reconcile-failed").active).toBe(2);
    const left = must(await replay.peek("failed", 10));
    expect(left).toMatchObject([
      { messageId: "m1", deliveryCount: 1 },
      { messageId: "m3", deliveryCount: 1 },
    ]);
  });

  it("tell why the broker gave them up", async () => {
    const made = await open();
    must(await serviceBus(made.connection).send("reconcile", [{ messageId: "dead", body: { n: 1 } }]));
    const client = new ServiceBusClient(made.broker.connectionString);
    const receiver = client.createReceiver("reconcile");
    for (let attempts = 0; attempts < 2; attempts += 1)
      for (const message of await receiver.receiveMessages(1)) await receiver.abandonMessage(message);
    await client.close();
    const replay = serviceBusReplay(made.connection);
    const [found] = must(await replay.peek("deadLetter", 5));
    expect(found).toMatchObject({
      messageId: "dead",
      body: { n: 1 },
      reason: expect.stringMatching(/^MaxDeliveryCountExceeded/),
    });
    const held = must(await replay.receive("deadLetter", 5));
    for (const message of held) await message.complete();
    expect(must(await replay.peek("deadLetter", 5))).toEqual([]);
  });

  it("are none when there are none", async () => {
    const { connection } = await open();
    const held = must(await serviceBusReplay(connection).receive("failed", 5));
    expect(held).toEqual([]);
  });
});
