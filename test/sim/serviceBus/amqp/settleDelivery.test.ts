import { once } from "node:events";
import type { AddressInfo } from "node:net";
import rhea, { type Delivery, type EventContext } from "rhea";
import { describe, expect, it, onTestFinished } from "vitest";
import { failures } from "../../../../src/sim/serviceBus/amqp/failures.ts";
import type { AmqpDelivery, AmqpLink } from "../../../../src/sim/serviceBus/amqp/rhea.ts";
import { acceptDelivery, rejectDelivery } from "../../../../src/sim/serviceBus/amqp/settleDelivery.ts";
import { outcomes, rawClient } from "./rawClient.ts";

/** A bare server that answers each group of three messages in one tick: rejected, accepted, rejected. */
const startServer = async (): Promise<number> => {
  const container = rhea.create_container({ receiver_options: { autoaccept: false } });
  const waiting: AmqpDelivery[] = [];
  container.on("message", ({ delivery, receiver }: EventContext) => {
    // What rhea hands out is what the broker knows under narrower types.
    waiting.push(delivery as unknown as AmqpDelivery);
    if (waiting.length < 3) return;
    const link = receiver as unknown as AmqpLink;
    for (const [index, one] of waiting.splice(0).entries())
      if (index === 1) acceptDelivery(one);
      else rejectDelivery(link, one, failures.lockLost(), "client");
  });
  for (const event of ["disconnected", "connection_close"]) container.on(event, () => undefined);
  const server = container.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};

describe("answers within one tick", () => {
  it("reach each message separately, though rhea would merge them", async () => {
    const sender = rawClient(await startServer()).open_sender("anything");
    await once(sender, "sendable");
    const deliveries: Delivery[] = [1, 2, 3, 4, 5, 6].map((body) => sender.send({ body }));
    expect(await outcomes(sender, deliveries)).toEqual([
      "rejected",
      "accepted",
      "rejected",
      "rejected",
      "accepted",
      "rejected",
    ]);
  });
});
