import type { Queue } from "../queue/queue.ts";
import type { Delivery, SubQueueName } from "../queue/storedMessage.ts";
import { encodeMessage } from "./encodeMessage.ts";
import { deliveryTag } from "./lockToken.ts";
import type { AmqpDelivery, AmqpSender } from "./rhea.ts";
import type { WireMessage } from "./wireMessage.ts";

/** A link on which a client receives from one place of one queue. */
export class DeliveryLink {
  readonly sender: AmqpSender;
  readonly queue: Queue<WireMessage>;
  readonly place: SubQueueName;
  readonly #deletes: boolean;
  readonly #lockTokens = new WeakMap<AmqpDelivery, string>();
  /** Delivery count including what rhea has not written yet: its own credit shrinks only when it writes. */
  #handedOver = 0;

  constructor(sender: AmqpSender, queue: Queue<WireMessage>, place: SubQueueName) {
    this.sender = sender;
    this.queue = queue;
    this.place = place;
    // Sender settle mode "settled" is how a client asks for receive-and-delete.
    this.#deletes = sender.snd_settle_mode === 1;
  }

  /** Sends the next message if the link may take one now and there is one. */
  deliverOne(nowMs: number): boolean {
    if (!this.#canTake()) return false;
    if (this.#deletes) {
      const message = this.queue.receiveAndDelete(nowMs, this.place);
      if (message) this.sender.send(encodeMessage(message), undefined, 0);
      this.#handedOver += message ? 1 : 0;
      return message !== undefined;
    }
    const delivery = this.queue.receive(nowMs, this.place);
    if (delivery) this.#send(delivery);
    return delivery !== undefined;
  }

  /** The lock behind a delivery of this link. */
  lockToken(delivery: AmqpDelivery): string | undefined {
    return this.#lockTokens.get(delivery);
  }

  #send({ message, lockToken, lockedUntilMs }: Delivery<WireMessage>): void {
    const sent = this.sender.send(encodeMessage(message, lockedUntilMs), deliveryTag(lockToken), 0);
    this.#lockTokens.set(sent, lockToken);
    this.#handedOver += 1;
  }

  /** Never beyond the credit, the peer's window or rhea's buffer: what waits there would use up its lock. */
  #canTake(): boolean {
    const { sender } = this;
    if (!sender.is_open()) return false;
    this.#handedOver = Math.max(this.#handedOver, sender.delivery_count);
    const unwritten = this.#handedOver - sender.delivery_count;
    const { outgoing } = sender.session;
    return sender.credit > unwritten && outgoing.available() > 0 && outgoing.transfer_window() > unwritten;
  }
}
