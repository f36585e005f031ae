import type { Failure } from "./failures.ts";
import { type AmqpDelivery, type AmqpLink, accepted, disposition, rejected } from "./rhea.ts";

/** Who sent the message: the disposition of a delivery travels the other way. */
export type Sender = "client" | "broker";

/** Answers a delivery with "accepted". */
export const acceptDelivery = (delivery: AmqpDelivery): void => {
  delivery.update(true, accepted());
  finish(delivery);
};

/**
 * Answers a delivery with "rejected", in a frame of its own: rhea merges the answers to neighbouring deliveries that
 * fall into one tick even when they differ, and the second message would get the first one's outcome.
 */
export const rejectDelivery = (link: AmqpLink, delivery: AmqpDelivery, failure: Failure, sender: Sender): void => {
  const { condition, description } = failure;
  const { id } = delivery;
  delivery.settled = true;
  delivery.state = rejected({ condition, description });
  if (!delivery.remote_settled && link.session.is_open())
    link.session.output(
      disposition({ role: sender === "client", first: id, last: id, settled: true, state: delivery.state }),
    );
  finish(delivery);
  link.connection._register();
};

/** The client never settles from its side; unless told so, rhea would keep the delivery until its buffer is full. */
const finish = (delivery: AmqpDelivery): void => {
  delivery.remote_settled = true;
};
