import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import rhea, { type EventContext } from "rhea";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { accepted } from "../../../../src/sim/serviceBus/amqp/rhea.ts";
import { type Broker, startBroker } from "../../../../src/sim/serviceBus/startBroker.ts";
import { next, outcomes, rawClient } from "./rawClient.ts";

const aBroker = async (): Promise<Broker> => {
  const broker = await startBroker({ queues: [{ name: "q" }] });
  onTestFinished(() => broker.stop());
  return broker;
};

/** A link whose user says himself when and how messages are wanted and settled. */
const manual = { credit_window: 0, autoaccept: false, autosettle: false, rcv_settle_mode: 1 } as const;

describe("credit", () => {
  it("is given back on a drain, also when there is none", async () => {
    const receiver = rawClient((await aBroker()).port).open_receiver({ source: "q", ...manual });
    await next(receiver, "receiver_open");
    for (const credit of [5, 0]) {
      receiver.add_credit(credit);
      receiver.drain_credit();
      await next(receiver, "receiver_drained");
    }
  });

  it("is used up before a drain is answered", async () => {
    const broker = await aBroker();
    const client = rawClient(broker.port);
    const sender = client.open_sender("q");
    await next(sender, "sendable");
    const sent = [1, 2, 3].map((body) => sender.send({ body }));
    await outcomes(sender, sent);
    const receiver = client.open_receiver({ source: "q", ...manual });
    await next(receiver, "receiver_open");
    const order: string[] = [];
    receiver.on("message", ({ message }: EventContext) => order.push(String(message?.body)));
    receiver.on("receiver_drained", () => order.push("drained"));
    receiver.add_credit(5);
    receiver.drain_credit();
    await vi.waitFor(() => expect(order).toEqual(["1", "2", "3", "drained"]));
  });

  it("does not make the broker lock more than the client's window takes", async () => {
    const broker = await aBroker();
    const sender = rawClient(broker.port).open_sender("q");
    await next(sender, "sendable");
    await outcomes(
      sender,
      Array.from({ length: 20 }, (_, body) => sender.send({ body })),
    );
    const receiver = rawClient(broker.port, { incomingWindow: 5 }).open_receiver({ source: "q", ...manual });
    const received: EventContext[] = [];
    receiver.on("message", (event: EventContext) => received.push(event));
    receiver.add_credit(20);
    await vi.waitFor(() => expect(received).toHaveLength(5));
    await sleep(50);
    expect(broker.counts("q")).toMatchObject({ active: 20, locked: 5 });
    const accept = ({ delivery }: EventContext) => delivery?.update(false, accepted());
    receiver.on("settled", ({ delivery }: EventContext) => delivery?.update(true));
    receiver.on("message", accept);
    for (const event of received) accept(event);
    await vi.waitFor(() => expect(broker.counts("q").active).toBe(0));
  });
});

describe("a link", () => {
  it("may be used before the broker has answered its attach", async () => {
    const broker = await aBroker();
    const client = rawClient(broker.port);
    const sender = client.open_sender("q");
    await next(sender, "sendable");
    await outcomes(sender, [sender.send({ body: "waiting" })]);
    const receiver = client.open_receiver({ source: "q", ...manual });
    receiver.add_credit(1);
    expect((await next(receiver, "message")).message?.body).toBe("waiting");
  });
});

describe("malformed input", () => {
  it("is refused message by message", async () => {
    const broker = await aBroker();
    const sender = rawClient(broker.port).open_sender("q");
    await next(sender, "sendable");
    const good = rhea.message.encode({ body: "good" });
    const sent = [Buffer.from("no message"), good, Buffer.from([0, 0x53, 0x73, 0xd0, 0, 0, 0, 9])].map((bytes) =>
      sender.send(bytes, undefined, 0),
    );
    expect(await outcomes(sender, sent)).toEqual(["rejected", "accepted", "rejected"]);
    expect(broker.counts("q")).toMatchObject({ active: 1 });
  });

  it.each([
    { what: "of no protocol", bytes: "\0\0\0\0\0\0\0\0" },
    { what: "of another version", bytes: "AMQP\0\x09\x09\x09" },
    { what: "that end early", bytes: "AM" },
    { what: "that are no frame", bytes: "AMQP\0\x01\0\0\0\0\0\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff" },
  ])("$what ends its own connection only", async ({ bytes }) => {
    const broker = await aBroker();
    const socket = connect(broker.port, "127.0.0.1");
    socket.on("error", () => undefined).resume();
    socket.end(Buffer.from(bytes, "latin1"));
    await once(socket, "close");
    const sender = rawClient(broker.port).open_sender("q");
    await next(sender, "sendable");
    expect(await outcomes(sender, [sender.send({ body: 1 })])).toEqual(["accepted"]);
  });
});
