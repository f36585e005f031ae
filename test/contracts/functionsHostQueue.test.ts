import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBusClient, type ServiceBusMessage } from "@azure/service-bus";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FunctionsHost, startFunctionsHost } from "../../src/sim/functionsHost/functionsHost.ts";
import { type Launched, launch } from "../../src/sim/process/launch.ts";

const app = join(import.meta.dirname, "../sim/functionsHost/apps/queue");
const brokerEntry = new URL("../../src/sim/serviceBus/main.ts", import.meta.url);

interface Event {
  readonly began?: string;
  readonly ended?: string;
  readonly input?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

describe("queue functions", { timeout: 120_000 }, () => {
  let folder = "";
  let broker: Launched;
  let client: ServiceBusClient;
  let host: FunctionsHost;
  let lines: string[] = [];
  const portOf = ({ ready }: Launched): number => (ready as { readonly port: number }).port;
  const connectionString = (): string =>
    `Endpoint=sb://127.0.0.1:${portOf(broker)};SharedAccessKeyName=k;SharedAccessKey=v;UseDevelopmentEmulator=true`;
  const startBroker = (port: number): Promise<Launched> =>
    launch({
      entry: brokerEntry,
      args: [
        "--queue",
        "work:maxDeliveryCount=3,lockSeconds=5",
        "--port",
        String(port),
        "--journal",
        join(folder, "journal"),
      ],
    });
  const startHost = (): Promise<FunctionsHost> =>
    startFunctionsHost({
      app,
      settings: { QUEUE: "work", ServiceBusConnection: connectionString() },
      log: (line) => lines.push(line),
    });
  const send = async (...messages: readonly ServiceBusMessage[]): Promise<void> => {
    const sender = client.createSender("work");
    await sender.sendMessages([...messages]);
    await sender.close();
  };
  const events = (): readonly Event[] =>
    lines.filter((line) => line.startsWith("{")).map((line): Event => JSON.parse(line));
  const began = (id: string): readonly Event[] => events().filter((event) => event.began === id);
  const ended = (id: string): number => events().filter((event) => event.ended === id).length;
  const left = async (subQueue?: "deadLetter"): Promise<readonly unknown[]> => {
    // A client's second peek goes on where its first ended.
    const fresh = new ServiceBusClient(connectionString());
    const receiver = fresh.createReceiver("work", subQueue === undefined ? {} : { subQueueType: subQueue });
    const messages = await receiver.peekMessages(10);
    await fresh.close();
    return messages.map(({ body }) => body);
  };
  const poll = { timeout: 60_000, interval: 100 };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "functions-host-queue-"));
    lines = [];
    broker = await startBroker(0);
    client = new ServiceBusClient(connectionString(), { retryOptions: { retryDelayInMs: 300 } });
    host = await startHost();
  });
  afterEach(async () => {
    await host.stop();
    await client.close();
    await broker.stop();
    await rm(folder, { recursive: true });
  });

  it("get the message and its metadata, and complete it by returning", async () => {
    await send(
      { body: { id: "a" }, messageId: "m-1", correlationId: "c-1", applicationProperties: { x: 1 } },
      { body: "no json" },
    );
    await expect.poll(() => ended("a"), poll).toBe(1);
    expect(began("a")).toEqual([
      {
        began: "a",
        input: { id: "a" },
        metadata: expect.objectContaining({
          messageId: "m-1",
          correlationId: "c-1",
          deliveryCount: 1,
          sequenceNumber: expect.any(Number),
          lockToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
          enqueuedTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/),
          enqueuedTimeUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+$/),
          applicationProperties: { x: 1 },
        }),
      },
    ]);
    await expect.poll(() => events().some(({ input }) => input === "no json"), poll).toBe(true);
    await expect.poll(() => left(), poll).toEqual([]);
  });

  it("get it again after a throw, until the dead letter queue has it", async () => {
    await send({ body: { id: "twice", failures: 1 } }, { body: { id: "never", failures: 99 } });
    await expect.poll(() => left("deadLetter"), poll).toEqual([{ id: "never", failures: 99 }]);
    await expect.poll(() => ended("twice"), poll).toBe(1);
    expect(began("twice").map(({ metadata }) => metadata?.["deliveryCount"])).toEqual([1, 2]);
    expect(began("never").map(({ metadata }) => metadata?.["deliveryCount"])).toEqual([1, 2, 3]);
  });

  it("settle neighbours that end together each with its own outcome", async () => {
    const together = Array.from({ length: 12 }, (_, index) => ({
      body: { id: `n${index}`, failures: index % 2, waitMs: 100 },
    }));
    await send(...together);
    for (const { body } of together) await expect.poll(() => ended(body.id), poll).toBe(1);
    for (const { body } of together) expect(began(body.id)).toHaveLength(1 + body.failures);
    await expect.poll(() => left(), poll).toEqual([]);
  });

  it("run at most maxConcurrentCalls at once", async () => {
    await send(...Array.from({ length: 9 }, (_, index) => ({ body: { id: `c${index}`, waitMs: 200 } })));
    await expect.poll(() => events().filter(({ ended: id }) => id !== undefined).length, poll).toBe(9);
    let running = 0;
    let most = 0;
    for (const event of events()) {
      if (event.began !== undefined) running += 1;
      if (event.ended !== undefined) running -= 1;
      most = Math.max(most, running);
    }
    expect(most).toBe(3);
  });

  it("keep the lock of a message for longer than the queue grants it", async () => {
    await send({ body: { id: "long", waitMs: 8_000 } });
    await expect.poll(() => ended("long"), poll).toBe(1);
    await expect.poll(() => left(), poll).toEqual([]);
    expect(began("long")).toHaveLength(1);
  });

  it("find a broker that was killed and came back", async () => {
    await send({ body: { id: "before" } });
    await expect.poll(() => ended("before"), poll).toBe(1);
    await send({ body: { id: "during", waitMs: 3_000 } });
    await expect.poll(() => began("during").length, poll).toBe(1);
    broker.kill("SIGKILL");
    await broker.exited;
    broker = await startBroker(portOf(broker));
    await send({ body: { id: "after" } });
    await expect.poll(() => ended("after"), poll).toBe(1);
    // Its lock went with the first broker: it runs again, and is completed once.
    await expect.poll(() => ended("during"), poll).toBe(2);
    await expect.poll(() => left(), poll).toEqual([]);
  });

  it("start again where a killed host left them", async () => {
    await send({ body: { id: "cut", waitMs: 2_000 } });
    await expect.poll(() => began("cut").length, poll).toBe(1);
    host.kill("SIGKILL");
    await host.exited;
    host = await startHost();
    await expect.poll(() => ended("cut"), poll).toBe(1);
    expect(began("cut").map(({ metadata }) => metadata?.["deliveryCount"])).toEqual([1, 2]);
  });

  it("complete what runs when the host is stopped", async () => {
    await send({ body: { id: "last", waitMs: 1_000 } });
    await expect.poll(() => began("last").length, poll).toBe(1);
    expect(await host.stop()).toEqual({ code: 0, signal: null });
    expect(ended("last")).toBe(1);
    expect(await left()).toEqual([]);
  });

  it("can be started by hand", async () => {
    const { status } = await host.invokeAdmin("work", { input: '{"id":"by hand"}' });
    expect(status).toBe(202);
    await expect.poll(() => ended("by hand"), poll).toBe(1);
  });
});
