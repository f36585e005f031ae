import rhea, { type Connection, type Delivery, type EventContext, type Receiver, type Sender } from "rhea";
import { onTestFinished } from "vitest";

/** A bare AMQP client, for what the SDK never does or does only at unlucky times; gone after the test. */
export const rawClient = (port: number, more: { readonly incomingWindow?: number } = {}): Connection => {
  const connection = rhea.create_container().connect({
    host: "127.0.0.1",
    port,
    username: "anyone",
    reconnect: false,
    ...(more.incomingWindow !== undefined && { session_buffer_size: { incoming: more.incomingWindow } }),
  });
  connection.on("disconnected", () => undefined);
  connection.on("connection_close", () => undefined);
  onTestFinished(() => connection.close());
  return connection;
};

/** The next event of that name. */
export const next = (emitter: Connection | Sender | Receiver, event: string): Promise<EventContext> =>
  new Promise((resolve) => emitter.once(event, resolve));

/** Each outcome of what the sender sent, in order of the deliveries. */
export const outcomes = async (sender: Sender, deliveries: readonly Delivery[]): Promise<readonly string[]> => {
  const byDelivery = new Map<Delivery, string>();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const outcome of ["accepted", "rejected"])
    sender.on(outcome, ({ delivery }: EventContext) => {
      if (delivery) byDelivery.set(delivery, outcome);
      if (byDelivery.size === deliveries.length) resolve();
    });
  await promise;
  return deliveries.map((delivery) => byDelivery.get(delivery) ?? "none");
};
