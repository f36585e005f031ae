import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  ServiceBusClient,
  type ServiceBusError,
  type ServiceBusMessage,
  type ServiceBusReceivedMessage,
  type ServiceBusReceiver,
} from "@azure/service-bus";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Broker, type BrokerOptions, startBroker } from "../../src/sim/serviceBus/startBroker.ts";
import { runBroker, startBrokerProcess } from "../sim/serviceBus/brokerProcess.ts";
import { tempFolder } from "../sim/serviceBus/journal/tempFolder.ts";

/** Long enough for any message that is on its way, short enough to wait for none. */
const patience = { maxWaitTimeInMs: 2000 };
const moment = { maxWaitTimeInMs: 200 };
/** By default the client waits 30 s before it connects again. */
const retryOptions = { retryDelayInMs: 300 };

const bodies = (messages: readonly { readonly body: unknown }[]) => messages.map(({ body }) => body);

/** The code of the error that the call must end in. */
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => expect.fail("the call succeeded"),
    (reason: ServiceBusError) => reason,
  );
  return error.code ?? error.message;
};

/** Everything that can be received, completed. */
const receiveAll = async (receiver: ServiceBusReceiver): Promise<readonly ServiceBusReceivedMessage[]> => {
  const all: ServiceBusReceivedMessage[] = [];
  for (;;) {
    const messages = await receiver.receiveMessages(200, moment);
    if (messages.length === 0) return all;
    await Promise.all(messages.map((message) => receiver.completeMessage(message)));
    all.push(...messages);
  }
};

const aClient = (connectionString: string): ServiceBusClient => {
  const client = new ServiceBusClient(connectionString, { retryOptions });
  onTestFinished(() => client.close());
  return client;
};

/** A broker of its own for tests that stop it. */
const aBroker = async (options: Partial<BrokerOptions> = {}): Promise<Broker> => {
  const broker = await startBroker({ queues: [{ name: "q" }], ...options });
  onTestFinished(() => broker.stop());
  return broker;
};

let broker: Broker;
let client: ServiceBusClient;
const problems = vi.fn<(message: string, error: unknown) => void>();
let queueNumber = 0;

/** A queue that only this test uses: the kind is one of those the shared broker was started with. */
const aQueue = (kind: "plain" | "brief" | "once" | "deduped") => {
  queueNumber += 1;
  const name = `${kind}/${queueNumber}`;
  return {
    name,
    sender: client.createSender(name),
    receiver: client.createReceiver(name, { maxAutoLockRenewalDurationInMs: 0 }),
    dead: client.createReceiver(name, { subQueueType: "deadLetter" }),
    counts: () => broker.counts(name),
  };
};

beforeAll(async () => {
  const named = (kind: string, options: object) =>
    Array.from({ length: 60 }, (_, index) => ({ name: `${kind}/${index + 1}`, ...options }));
  broker = await startBroker({
    log: problems,
    queues: [
      ...named("plain", {}),
      ...named("brief", { lockSeconds: 1 }),
      ...named("once", { maxDeliveryCount: 2 }),
      ...named("deduped", { duplicateDetectionSeconds: 1 }),
    ],
  });
  client = new ServiceBusClient(broker.connectionString, { retryOptions });
});

afterAll(async () => {
  await client.close();
  await broker.stop();
  expect(problems.mock.calls).toEqual([]);
});

describe("sending", () => {
  it("keeps every property of a message", async () => {
    const { sender, receiver } = aQueue("plain");
    const message: ServiceBusMessage = {
      body: { deep: ["a", 1, null] },
      messageId: "the id",
      correlationId: "correlation",
      contentType: "application/json",
      subject: "subject",
      to: "to",
      replyTo: "reply",
      replyToSessionId: "reply session",
      sessionId: "session",
      partitionKey: "session",
      timeToLive: 60_000,
      applicationProperties: { text: "t", number: 1.5, yes: true },
    };
    await sender.sendMessages(message);
    const [received] = await receiver.receiveMessages(1, patience);
    expect(received).toMatchObject({ ...message, deliveryCount: 0, state: "active" });
    expect(received?.sequenceNumber?.toNumber()).toBe(1);
    expect(received?.lockToken).toMatch(/^[0-9a-f-]{36}$/);
    expect(received?.enqueuedTimeUtc).toBeInstanceOf(Date);
    await receiver.completeMessage(received!);
  });

  it.each([
    { what: "a number", messageId: 42, read: 42 },
    { what: "a uuid", messageId: Buffer.alloc(16, 7), read: Buffer.alloc(16, 7) },
    { what: "none: one is invented", messageId: undefined, read: expect.stringMatching(/^[0-9a-f]{32}$/) },
  ])("takes as message id $what", async ({ messageId, read }) => {
    const { sender, receiver } = aQueue("plain");
    await sender.sendMessages({ body: 1, ...(messageId !== undefined && { messageId }) });
    const [received] = await receiver.receiveMessages(1, patience);
    expect(received?.messageId).toEqual(read);
    await receiver.completeMessage(received!);
  });

  it("takes arrays and batches, in order", async () => {
    const { sender, receiver } = aQueue("plain");
    await sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const batch = await sender.createMessageBatch();
    expect(batch.tryAddMessage({ body: 3 })).toBe(true);
    expect(batch.tryAddMessage({ body: Buffer.alloc(300_000) })).toBe(false);
    expect(batch.tryAddMessage({ body: 4 })).toBe(true);
    await sender.sendMessages(batch);
    expect(bodies(await receiveAll(receiver))).toEqual([1, 2, 3, 4]);
  });

  it("refuses what is larger than 256 KiB, and nothing but that, also in one tick", async () => {
    const { sender, receiver } = aQueue("plain");
    const large = Buffer.alloc(256 * 1024);
    const sends = [{ body: "a" }, { body: large }, { body: "b" }, { body: large }, { body: "c" }];
    const results = await Promise.allSettled(sends.map((message) => sender.sendMessages(message)));
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, false, true, false, true]);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "MessageSizeExceeded" });
    expect(await codeOf(sender.sendMessages([{ body: large }]))).toBe("MessageSizeExceeded");
    expect(await codeOf(sender.scheduleMessages({ body: large }, new Date(Date.now() + 60_000)))).toBe(
      "MessageSizeExceeded",
    );
    expect(bodies(await receiveAll(receiver))).toEqual(["a", "b", "c"]);
  });

  it("carries a message of many frames both ways", async () => {
    const { sender, receiver } = aQueue("plain");
    const body = Buffer.alloc(250_000, "text");
    await sender.sendMessages({ body });
    expect(body.equals((await receiver.peekMessages(1))[0]?.body)).toBe(true);
    expect(body.equals((await receiveAll(receiver))[0]?.body)).toBe(true);
  });

  it("refuses unknown queues in every way of use", async () => {
    const far = new Date(Date.now() + 60_000);
    const receiver = client.createReceiver("unknown");
    const calls = [
      client.createSender("unknown").sendMessages({ body: 1 }),
      client.createSender("unknown").scheduleMessages({ body: 1 }, far),
      receiver.receiveMessages(1, moment),
      receiver.peekMessages(1),
      client.createReceiver("unknown", { subQueueType: "deadLetter" }).receiveMessages(1, moment),
    ];
    const codes = await Promise.all(calls.map(codeOf));
    expect(codes).toEqual(calls.map(() => "MessagingEntityNotFound"));
  });

  it("refuses to send to a dead-letter queue", async () => {
    const { name } = aQueue("plain");
    expect(await codeOf(client.createSender(`${name}/$DeadLetterQueue`).sendMessages({ body: 1 }))).toBe(
      "GeneralError",
    );
  });
});

describe("scheduled messages", () => {
  it.each(["annotation", "operation"] as const)("sent by %s come when due, not before", async (way) => {
    const { sender, receiver, counts } = aQueue("plain");
    const due = new Date(Date.now() + 700);
    if (way === "annotation") await sender.sendMessages({ body: way, scheduledEnqueueTimeUtc: due });
    else expect((await sender.scheduleMessages([{ body: way }], due)).map(Number)).toEqual([1]);
    expect(counts()).toMatchObject({ active: 0, scheduled: 1 });
    expect(await receiver.peekMessages(1)).toMatchObject([
      { body: way, state: "scheduled", scheduledEnqueueTimeUtc: due },
    ]);
    const [received] = await receiver.receiveMessages(1, patience);
    expect(received?.enqueuedTimeUtc?.getTime()).toBeGreaterThanOrEqual(due.getTime());
    expect(received?.sequenceNumber?.toNumber()).toBe(2);
    await receiver.completeMessage(received!);
  });

  it("can be cancelled, once", async () => {
    const { sender, counts } = aQueue("plain");
    const numbers = await sender.scheduleMessages([{ body: 1 }, { body: 2 }], new Date(Date.now() + 60_000));
    await sender.cancelScheduledMessages(numbers[0]!);
    expect(counts()).toMatchObject({ scheduled: 1 });
    expect(await codeOf(sender.cancelScheduledMessages(numbers))).toBe("MessageNotFound");
    expect(counts()).toMatchObject({ scheduled: 1 });
  });
});

describe("duplicate detection", () => {
  it("drops duplicates within the window: one by one, inside a batch, after completion, scheduled", async () => {
    const { sender, receiver, counts } = aQueue("deduped");
    const far = new Date(Date.now() + 60_000);
    await sender.sendMessages({ body: 1, messageId: "same" });
    await sender.sendMessages({ body: 2, messageId: "same" });
    await sender.sendMessages([
      { body: 3, messageId: "same" },
      { body: 4, messageId: "other" },
      { body: 5, messageId: "other" },
    ]);
    await sender.sendMessages({ body: 6, messageId: "same", scheduledEnqueueTimeUtc: far });
    await sender.scheduleMessages({ body: 7, messageId: "same" }, far);
    expect(bodies(await receiveAll(receiver))).toEqual([1, 4]);
    expect(counts()).toEqual({ active: 0, locked: 0, scheduled: 0, deadLetter: 0 });
    await sleep(1000);
    await sender.sendMessages({ body: 8, messageId: "same" });
    expect(bodies(await receiveAll(receiver))).toEqual([8]);
  });
});

describe("settling", () => {
  it("completes, and nothing comes again", async () => {
    const { sender, receiver, counts } = aQueue("plain");
    await sender.sendMessages({ body: 1 });
    const [message] = await receiver.receiveMessages(1, patience);
    expect(counts()).toMatchObject({ active: 1, locked: 1 });
    await receiver.completeMessage(message!);
    expect(counts()).toMatchObject({ active: 0, locked: 0 });
  });

  it("abandons: the message comes again at its place, counted, with the changed properties", async () => {
    const { sender, receiver } = aQueue("plain");
    await sender.sendMessages([{ body: 1, applicationProperties: { a: 1, b: 2 } }, { body: 2 }]);
    const [first] = await receiver.receiveMessages(1, patience);
    await receiver.abandonMessage(first!, { b: "new", c: true });
    const [again] = await receiver.receiveMessages(1, patience);
    expect(again).toMatchObject({ body: 1, deliveryCount: 1, applicationProperties: { a: 1, b: "new", c: true } });
  });

  it("dead-letters with reason, description and properties; the dead letter can be peeked, received and sent on", async () => {
    const { sender, receiver, dead, counts } = aQueue("plain");
    await sender.sendMessages({ body: 1, messageId: "id" });
    const [message] = await receiver.receiveMessages(1, patience);
    await receiver.deadLetterMessage(message!, { deadLetterReason: "R", deadLetterErrorDescription: "D", more: 4 });
    expect(counts()).toMatchObject({ active: 0, deadLetter: 1 });
    const expected = { body: 1, deadLetterReason: "R", deadLetterErrorDescription: "D" };
    expect(await dead.peekMessages(1)).toMatchObject([expected]);
    const [letter] = await dead.receiveMessages(1, patience);
    expect(letter).toMatchObject({ ...expected, messageId: "id", applicationProperties: { more: 4 } });
    await sender.sendMessages(letter!);
    await dead.completeMessage(letter!);
    expect(counts()).toMatchObject({ active: 1, deadLetter: 0 });
    expect(bodies(await receiveAll(receiver))).toEqual([1]);
  });

  it("dead-letters after the last delivery, with the reason that Azure gives", async () => {
    const { sender, receiver, dead } = aQueue("once");
    await sender.sendMessages({ body: 1 });
    for (let delivery = 0; delivery < 2; delivery += 1) {
      const [message] = await receiver.receiveMessages(1, patience);
      expect(message?.deliveryCount).toBe(delivery);
      await receiver.abandonMessage(message!);
    }
    expect(await receiver.receiveMessages(1, moment)).toEqual([]);
    const [letter] = await dead.receiveMessages(1, patience);
    expect(letter).toMatchObject({ body: 1, deliveryCount: 2, deadLetterReason: "MaxDeliveryCountExceeded" });
  });

  it("does not dead-letter a dead letter", async () => {
    const { sender, receiver, dead, counts } = aQueue("plain");
    await sender.sendMessages({ body: 1 });
    await receiver.deadLetterMessage((await receiver.receiveMessages(1, patience))[0]!);
    const [letter] = await dead.receiveMessages(1, patience);
    expect(letter?.deadLetterReason).toBeUndefined();
    expect(await codeOf(dead.deadLetterMessage(letter!))).toBe("GeneralError");
    expect(counts()).toMatchObject({ deadLetter: 1 });
  });

  it("refuses to defer, with a clear error and without loss", async () => {
    const { sender, receiver, counts } = aQueue("plain");
    await sender.sendMessages({ body: 1 });
    const [message] = await receiver.receiveMessages(1, patience);
    await expect(receiver.deferMessage(message!)).rejects.toThrow("does not defer messages");
    await expect(receiver.receiveDeferredMessages(message!.sequenceNumber!)).rejects.toThrow("does not know");
    expect(counts()).toMatchObject({ active: 1 });
  });

  it("works when the receiver that got the message is closed", async () => {
    const { name, sender, receiver, counts } = aQueue("plain");
    await sender.sendMessages([{ body: 1 }, { body: 2 }, { body: 3 }]);
    const messages = await receiver.receiveMessages(3, patience);
    await receiver.close();
    const other = client.createReceiver(name);
    await other.completeMessage(messages[0]!);
    await other.abandonMessage(messages[1]!, { changed: true });
    await other.deadLetterMessage(messages[2]!, { deadLetterReason: "R", deadLetterErrorDescription: "D" });
    expect(counts()).toEqual({ active: 1, locked: 0, scheduled: 0, deadLetter: 1 });
    expect(await other.peekMessages(1)).toMatchObject([{ applicationProperties: { changed: true }, deliveryCount: 1 }]);
    expect(await codeOf(other.completeMessage(messages[0]!))).toBe("MessageLockLost");
  });

  it("takes a message out at once in receive-and-delete", async () => {
    const { name, sender, counts } = aQueue("plain");
    await sender.sendMessages([{ body: 1 }, { body: 2 }]);
    const receiver = client.createReceiver(name, { receiveMode: "receiveAndDelete" });
    expect(bodies(await receiver.receiveMessages(1, patience))).toEqual([1]);
    expect(counts()).toMatchObject({ active: 1, locked: 0 });
  });
});

describe("locks", () => {
  it("end: the message comes again, counted, and the old receiver is told", async () => {
    const { sender, receiver } = aQueue("brief");
    await sender.sendMessages({ body: 1 });
    const [first] = await receiver.receiveMessages(1, patience);
    const [again] = await receiver.receiveMessages(1, patience);
    expect(again).toMatchObject({ body: 1, deliveryCount: 1 });
    expect(await codeOf(receiver.completeMessage(first!))).toBe("MessageLockLost");
    expect(await codeOf(receiver.renewMessageLock(first!))).toBe("MessageLockLost");
    await receiver.completeMessage(again!);
  });

  it("last longer when renewed; one lost and one kept are told apart within one tick", async () => {
    const { sender, receiver, counts } = aQueue("brief");
    await sender.sendMessages([{ body: "lost" }, { body: "kept" }, { body: "lost" }, { body: "kept" }]);
    const messages = await receiver.receiveMessages(4, patience);
    const kept = messages.filter(({ body }) => body === "kept");
    for (const _ of [1, 2, 3]) {
      await sleep(400);
      for (const message of kept)
        expect((await receiver.renewMessageLock(message)).getTime()).toBeGreaterThan(Date.now());
    }
    const results = await Promise.allSettled(messages.map((message) => receiver.completeMessage(message)));
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(counts()).toMatchObject({ active: 2 });
    expect((await receiveAll(receiver)).map(({ body, deliveryCount }) => [body, deliveryCount])).toEqual([
      ["lost", 1],
      ["lost", 1],
    ]);
  });

  it("are renewed by the client while a handler works", async () => {
    const { name, sender, counts } = aQueue("brief");
    const receiver = client.createReceiver(name);
    const deliveries = vi.fn<(message: ServiceBusReceivedMessage) => Promise<void>>(() => sleep(2500));
    const errors = vi.fn<() => Promise<void>>();
    await sender.sendMessages({ body: 1 });
    receiver.subscribe({ processMessage: deliveries, processError: errors });
    await vi.waitFor(() => expect(counts().active).toBe(0), 5000);
    expect(deliveries).toHaveBeenCalledOnce();
    expect(errors).not.toHaveBeenCalled();
    await receiver.close();
  });

  it("outlive their connection", async () => {
    const { name, sender, counts } = aQueue("brief");
    await sender.sendMessages({ body: 1 });
    const other = new ServiceBusClient(broker.connectionString);
    await other.createReceiver(name).receiveMessages(1, patience);
    await other.close();
    expect(counts()).toMatchObject({ active: 1, locked: 1 });
    await vi.waitFor(() => expect(counts().locked).toBe(0), 3000);
  });
});

describe("peek and counts", () => {
  it("shows messages page by page, locked ones too, without a lock", async () => {
    const { sender, receiver } = aQueue("plain");
    await sender.sendMessages(Array.from({ length: 5 }, (_, body) => ({ body })));
    const pages = [await receiver.peekMessages(2), await receiver.peekMessages(2), await receiver.peekMessages(2)];
    expect(pages.map(bodies)).toEqual([[0, 1], [2, 3], [4]]);
    expect(await receiver.peekMessages(2)).toEqual([]);
    expect(pages[0]?.[0]?.lockToken).toBeUndefined();
    await receiver.receiveMessages(1, patience);
    const from = { fromSequenceNumber: pages[0]![0]!.sequenceNumber! };
    expect(bodies(await receiver.peekMessages(1, from))).toEqual([0]);
  });

  it("shows counts to code and over HTTP on the same port", async () => {
    const { name, sender, receiver, counts } = aQueue("plain");
    await sender.sendMessages([{ body: 1 }, { body: 2 }, { body: 3 }]);
    await sender.scheduleMessages({ body: 4 }, new Date(Date.now() + 60_000));
    const [first] = await receiver.receiveMessages(2, patience);
    await receiver.deadLetterMessage(first!);
    const expected = { active: 2, locked: 1, scheduled: 1, deadLetter: 1 };
    expect(counts()).toEqual(expected);
    const page = await fetch(`http://127.0.0.1:${broker.port}/`);
    expect(await page.json()).toMatchObject({ queues: { [name]: expected } });
    expect(() => broker.counts("unknown")).toThrow('no queue "unknown"');
  });
});

describe("what this broker has not", () => {
  it("refuses sessions cleanly", async () => {
    const { name, sender, receiver } = aQueue("plain");
    expect(await codeOf(client.acceptSession(name, "a"))).toBe("SessionCannotBeLocked");
    await expect(client.acceptNextSession(name)).rejects.toThrow("this broker knows none");
    await sender.sendMessages({ body: 1 });
    expect(bodies(await receiveAll(receiver))).toEqual([1]);
  });
});

describe("receivers", () => {
  it("that compete share the messages, and none gets one twice", async () => {
    const { name, sender, counts } = aQueue("plain");
    const other = aClient(broker.connectionString);
    const got: unknown[][] = [[], []];
    const receivers = [client, other].map((owner) => owner.createReceiver(name));
    for (const [index, receiver] of receivers.entries())
      receiver.subscribe({
        processMessage: async ({ body }) => {
          got[index]?.push(body);
          await sleep(2);
        },
        processError: async ({ error }) => problems("subscribe", error),
      });
    const sent = Array.from({ length: 60 }, (_, body) => body);
    await vi.waitFor(async () => {
      await sender.sendMessages({ body: "warm" });
      await sleep(50);
      expect(got.every((each) => each.length > 0)).toBe(true);
    });
    await sender.sendMessages(sent.map((body) => ({ body })));
    await vi.waitFor(() => expect(counts().active).toBe(0), 5000);
    const numbers = got.map((each) => each.filter((body) => body !== "warm"));
    expect(numbers.flat().sort((a, b) => Number(a) - Number(b))).toEqual(sent);
    for (const each of numbers) expect(each.length).toBeGreaterThan(10);
    for (const receiver of receivers) await receiver.close();
  });

  it("get no more than they ask for, and give back what they did not use", async () => {
    const { sender, receiver, counts } = aQueue("plain");
    await sender.sendMessages([{ body: 1 }, { body: 2 }]);
    expect(bodies(await receiver.receiveMessages(10, patience))).toEqual([1, 2]);
    await sender.sendMessages([{ body: 3 }, { body: 4 }]);
    expect(counts()).toMatchObject({ active: 4, locked: 2 });
    expect(bodies(await receiver.receiveMessages(1, patience))).toEqual([3]);
    expect(counts()).toMatchObject({ locked: 3 });
  });

  it("that stop waiting just when messages come lose none", async () => {
    const { sender, receiver } = aQueue("plain");
    let received = 0;
    for (let round = 0; round < 100; round += 1) {
      const sending = sender.sendMessages([{ body: 1 }, { body: 2 }, { body: 3 }]);
      const messages = await receiver.receiveMessages(3 + (round % 3), { maxWaitTimeInMs: 1 });
      await Promise.all(messages.map((message) => receiver.completeMessage(message)));
      received += messages.length;
      await sending;
    }
    received += (await receiveAll(receiver)).length;
    expect(received).toBe(300);
  });

  it("can take more than 2048 messages over one link, and hold that many at once", async () => {
    const { sender, receiver, counts } = aQueue("plain");
    const sendSome = async () => {
      for (let batch = 0; batch < 3; batch += 1)
        await sender.sendMessages(Array.from({ length: 1000 }, (_, body) => ({ body })));
    };
    await sendSome();
    expect(await receiveAll(receiver)).toHaveLength(3000);
    await sendSome();
    const held = await receiver.receiveMessages(3000, { maxWaitTimeInMs: 1000 });
    expect(counts().locked).toBe(held.length);
    await Promise.all(held.map((message) => receiver.completeMessage(message)));
    expect((await receiveAll(receiver)).length + held.length).toBe(3000);
  });

  it("subscribe with concurrent calls; a failing handler gets its message again", async () => {
    const { sender, receiver, counts } = aQueue("plain");
    let running = 0;
    let most = 0;
    const failures: unknown[] = [];
    receiver.subscribe(
      {
        processMessage: async ({ body, deliveryCount }) => {
          running += 1;
          most = Math.max(most, running);
          await sleep(20);
          running -= 1;
          if (body === 3 && deliveryCount === 0) throw new Error("handler");
        },
        processError: async ({ errorSource }) => void failures.push(errorSource),
      },
      { maxConcurrentCalls: 5 },
    );
    await sender.sendMessages(Array.from({ length: 25 }, (_, body) => ({ body })));
    await vi.waitFor(() => expect(counts().active).toBe(0), 5000);
    expect({ most, failures }).toEqual({ most: 5, failures: ["processMessageCallback"] });
    await receiver.close();
  });
});

describe("a restart", () => {
  it("is survived by senders and by an active subscription of the same client", async () => {
    const queues = [{ name: "q" }];
    const journalDir = await tempFolder();
    const first = await startBroker({ queues, journalDir });
    const user = aClient(first.connectionString);
    const got: unknown[] = [];
    user.createReceiver("q").subscribe({
      processMessage: async ({ body }) => void got.push(body),
      processError: async () => undefined,
    });
    const sender = user.createSender("q");
    await sender.sendMessages({ body: "before" });
    await vi.waitFor(() => expect(got).toEqual(["before"]));
    await sender.scheduleMessages({ body: "meanwhile" }, new Date(Date.now() + 100));
    await first.stop();
    await sleep(200);
    const second = await aBroker({ queues, journalDir, port: first.port });
    await vi.waitFor(() => expect(got).toEqual(["before", "meanwhile"]), 5000);
    await sender.sendMessages({ body: "after" });
    await vi.waitFor(() => expect(got).toEqual(["before", "meanwhile", "after"]), 5000);
    await vi.waitFor(() => expect(second.counts("q").active).toBe(0));
  });

  it("keeps the journal small while it runs", async () => {
    const journalDir = await tempFolder();
    const options = { queues: [{ name: "q" }], journalDir, compactFromBytes: 50_000 };
    const first = await startBroker(options);
    const sender = aClient(first.connectionString).createSender("q");
    const receiver = aClient(first.connectionString).createReceiver("q", { receiveMode: "receiveAndDelete" });
    await sender.sendMessages({ body: "kept", scheduledEnqueueTimeUtc: new Date(Date.now() + 60_000) });
    for (let round = 0; round < 50; round += 1) {
      await sender.sendMessages(Array.from({ length: 20 }, () => ({ body: Buffer.alloc(1000) })));
      for (let left = 20; left > 0; ) left -= (await receiver.receiveMessages(left, patience)).length;
    }
    // More than a megabyte was written, of which never more than thirty kilobytes were alive.
    expect((await stat(join(journalDir, "journal.jsonl"))).size).toBeLessThan(300_000);
    await first.stop();
    const second = await aBroker(options);
    expect(second.counts("q")).toEqual({ active: 0, locked: 0, scheduled: 1, deadLetter: 0 });
  });
});

describe("kill -9", () => {
  const connect = (port: number) =>
    aClient(`Endpoint=sb://127.0.0.1:${port};SharedAccessKeyName=k;SharedAccessKey=v;UseDevelopmentEmulator=true`);

  it("leaves every state of a message as it was, and the duplicate history", async () => {
    const journal = await tempFolder();
    const flags = [
      "--queue",
      "q:maxDeliveryCount=3",
      "--queue",
      "once:duplicateDetectionSeconds=600",
      "--journal",
      journal,
    ];
    const first = await startBrokerProcess(...flags);
    const user = connect(first.port);
    const sender = user.createSender("q");
    const receiver = user.createReceiver("q");
    await sender.sendMessages(["done", "abandoned", "dead", "locked", "plain"].map((body) => ({ body })));
    await sender.scheduleMessages({ body: "scheduled" }, new Date(Date.now() + 60_000));
    await user.createSender("once").sendMessages({ body: 1, messageId: "same" });
    await user.createSender("once").scheduleMessages({ body: 2, messageId: "later" }, new Date(Date.now() + 60_000));
    const messages = await receiver.receiveMessages(4, patience);
    await receiver.completeMessage(messages[0]!);
    await receiver.abandonMessage(messages[1]!, { changed: true });
    await receiver.deadLetterMessage(messages[2]!, { deadLetterReason: "R", deadLetterErrorDescription: "D" });
    expect(await first.end("SIGKILL")).toBeNull();

    const second = await startBrokerProcess(...flags);
    const successor = connect(second.port);
    const again = successor.createReceiver("q");
    expect(await again.peekMessages(9)).toMatchObject([
      { body: "abandoned", deliveryCount: 1, applicationProperties: { changed: true } },
      { body: "locked", deliveryCount: 0 },
      { body: "plain", deliveryCount: 0 },
      { body: "scheduled", state: "scheduled" },
    ]);
    expect(bodies(await again.receiveMessages(9, patience))).toEqual(["abandoned", "locked", "plain"]);
    const dead = successor.createReceiver("q", { subQueueType: "deadLetter" });
    expect(await dead.peekMessages(9)).toMatchObject([{ body: "dead", deadLetterReason: "R" }]);
    const once = successor.createSender("once");
    await once.sendMessages([
      { body: 3, messageId: "same" },
      { body: 4, messageId: "later" },
      { body: 5, messageId: "new" },
    ]);
    expect(bodies(await successor.createReceiver("once").peekMessages(9))).toEqual([1, 2, 5]);
  });

  it("during a storm loses nothing that was acknowledged", async () => {
    const flags = ["--queue", "q", "--journal", await tempFolder()];
    const first = await startBrokerProcess(...flags);
    const user = new ServiceBusClient(
      `Endpoint=sb://127.0.0.1:${first.port};SharedAccessKeyName=k;SharedAccessKey=v;UseDevelopmentEmulator=true`,
      { retryOptions: { maxRetries: 0, timeoutInMs: 1500 } },
    );
    onTestFinished(() => void user.close()); // Not waited for: its broker is gone for good.
    const sender = user.createSender("q");
    const acknowledged = new Set<number>();
    let next = 0;
    const send = async (): Promise<void> => {
      for (;;) {
        next += 1;
        const body = next;
        await sender.sendMessages({ body });
        acknowledged.add(body);
      }
    };
    void Promise.allSettled(Array.from({ length: 30 }, send));
    await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(300), 20_000);
    await first.end("SIGKILL");

    const second = await startBrokerProcess(...flags);
    const found = new Set(bodies(await receiveAll(connect(second.port).createReceiver("q"))));
    expect([...acknowledged].filter((body) => !found.has(body))).toEqual([]);
  });
});

describe("starting", () => {
  it("says which port is in use, and leaves the journal free", async () => {
    const journalDir = await tempFolder();
    const { port } = await aBroker();
    const options = { queues: [{ name: "q" }], journalDir };
    await expect(startBroker({ ...options, port })).rejects.toThrow(`Port ${port} on 127.0.0.1 is already in use.`);
    await (await startBroker(options)).stop();
  });

  it.each([
    {
      when: "a queue makes no sense",
      flags: ["--queue", "q:lockSeconds=0"],
      says: "lockSeconds must be a positive number",
    },
    { when: "no queue is asked for", flags: [], says: "usage: main.ts --queue" },
    { when: "a flag is unknown", flags: ["--queue", "q", "--sessions"], says: "--sessions" },
    { when: "the port is no port", flags: ["--queue", "q", "--port", "many"], says: "--port many: not a port" },
  ])("on the command line fails with a sentence when $when", async ({ flags, says }) => {
    const { code, stderr } = await runBroker(...flags);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
  });

  it("on the command line refuses a journal that another process has", async () => {
    const journal = await tempFolder();
    const first = await startBrokerProcess("--queue", "q", "--journal", journal);
    const { code, stderr } = await runBroker("--queue", "q", "--journal", journal);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("is in use by process") });
    expect(await first.end("SIGTERM")).toBe(0);
    await expect(readFile(join(journal, "lock"))).rejects.toThrow("ENOENT");
  });

  it("with --exit-with-parent ends when its stdin does", async () => {
    const child = await startBrokerProcess("--queue", "q", "--exit-with-parent");
    expect(await child.end("closeStdin")).toBe(0);
  });
});
