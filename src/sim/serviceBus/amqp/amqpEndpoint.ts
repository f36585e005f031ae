import type { BrokerClock } from "../clock.ts";
import type { QueueStore } from "../journal/queueStore.ts";
import type { Queue } from "../queue/queue.ts";
import { adjustSession } from "./adjustSession.ts";
import { applyVerdict, verdictOf } from "./applyOutcome.ts";
import type { DeliveryLink } from "./deliveryLink.ts";
import { Dispatcher } from "./dispatcher.ts";
import { failures } from "./failures.ts";
import { type LinkRole, roleOfClientReceiver, roleOfClientSender } from "./linkRole.ts";
import { type ManagementAnswer, manage } from "./management.ts";
import { parseTransfer } from "./parseMessage.ts";
import { replyToManagement, replyToToken } from "./requests.ts";
import {
  type AmqpConnection,
  type AmqpContainer,
  type AmqpDelivery,
  type AmqpEvent,
  type AmqpLink,
  type AmqpRequest,
  type AmqpSender,
  createContainer,
} from "./rhea.ts";
import { acceptDelivery, rejectDelivery } from "./settleDelivery.ts";
import type { WireMessage } from "./wireMessage.ts";

export interface EndpointOptions {
  readonly store: QueueStore;
  readonly clock: BrokerClock;
  readonly maxMessageBytes: number;
  /** Told of broken connections and malformed input; nothing that needs an answer. */
  readonly log: (message: string, error: unknown) => void;
}

/** Frames of this size keep a large message from blocking the connection for long. */
const maxFrameBytes = 65_536;
const idleTimeoutMs = 240_000;

/** The AMQP side of the broker: gives each link its role and turns its events into commands of a queue. */
export class AmqpEndpoint {
  readonly #options: EndpointOptions;
  readonly #container: AmqpContainer;
  readonly #dispatcher: Dispatcher;
  readonly #roles = new Map<AmqpLink, LinkRole>();
  readonly #connections = new Set<AmqpConnection>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#dispatcher = new Dispatcher(options.store, options.clock);
    this.#container = createContainer({
      id: "capstan-service-bus",
      max_frame_size: maxFrameBytes,
      channel_max: 4999,
      idle_time_out: idleTimeoutMs,
      tcp_no_delay: true,
      receiver_options: { autoaccept: false, credit_window: 1000, max_message_size: options.maxMessageBytes },
      sender_options: { treat_modified_as_released: false },
    });
    this.#allowEveryone();
    this.#listen();
  }

  /** A connection that will speak on the socket given to its `accept`. */
  connection(): AmqpConnection {
    const connection = this.#container.create_connection({ reconnect: false });
    this.#connections.add(connection);
    return connection;
  }

  /** Forgets a connection and its links. Locks of its messages stay until they expire, as in Azure. */
  dropped(connection: AmqpConnection): void {
    this.#connections.delete(connection);
    this.#forget((link) => link.connection === connection);
  }

  /** Stops delivering and closes all connections in the way that makes clients connect again. */
  stop(): void {
    this.#dispatcher.stop();
    // A close without an error would leave the subscriptions of a client dead for good.
    const error = { condition: "amqp:connection:forced", description: "The broker is shutting down." };
    for (const connection of this.#connections) connection.close(error);
  }

  #allowEveryone(): void {
    const mechanisms = this.#container.sasl_server_mechanisms;
    mechanisms.enable_anonymous();
    mechanisms.enable_plain(() => true);
    mechanisms["MSSBCBS"] = mechanisms["ANONYMOUS"]; // Other Azure clients ask for this name.
  }

  #listen(): void {
    const on = (event: string, handle: (event: AmqpEvent) => void) => this.#container.on(event, handle);
    on("session_open", ({ session }) =>
      adjustSession(session, {
        takesBytes: (link) => this.#roles.get(link)?.kind === "send",
        onFlow: () => {
          for (const link of Object.values(session.links)) this.#wakeLink(link);
        },
      }),
    );
    on("receiver_open", ({ receiver }) => this.#openClientSender(receiver));
    on("sender_open", ({ sender }) => this.#openClientReceiver(sender));
    on("receiver_close", ({ receiver }) => this.#forget((link) => link === receiver));
    on("sender_close", ({ sender }) => this.#forget((link) => link === sender));
    on("session_close", ({ session }) => this.#forget((link) => link.session === session));
    on("connection_close", ({ connection }) => this.dropped(connection));
    on("disconnected", ({ connection }) => this.dropped(connection));
    on("message", (event) => this.#onMessage(event));
    // All that can be delivered goes out before the rest of the credit is given back.
    on("sender_draining", ({ sender }) => {
      this.#wakeLink(sender);
      sender.set_drained(true);
    });
    for (const name of ["accepted", "rejected", "released", "modified"] as const)
      on(name, ({ sender, delivery }) => this.#watch(this.#onOutcome(name, sender, delivery)));
    for (const name of ["connection_error", "protocol_error", "error"])
      on(name, (event) => this.#options.log(`AMQP ${name}`, event.error ?? event));
  }

  #openClientSender(receiver: AmqpLink): void {
    const role = roleOfClientSender(receiver, this.#options.store);
    if (role.kind === "refused") {
      receiver.close(role.failure);
      return;
    }
    receiver.set_target({ address: receiver.target?.address });
    receiver.set_source({ address: receiver.source?.address });
    this.#roles.set(receiver, role);
  }

  #openClientReceiver(sender: AmqpSender): void {
    const role = roleOfClientReceiver(sender, this.#options.store);
    if (role.kind === "refused") {
      sender.close(role.failure);
      return;
    }
    sender.local.attach.snd_settle_mode = sender.snd_settle_mode;
    sender.local.attach.rcv_settle_mode = sender.rcv_settle_mode;
    sender.set_source({ address: sender.source?.address });
    sender.set_target({ address: sender.target?.address });
    this.#roles.set(sender, role);
    // rhea writes messages before links: nothing may be sent on this one until its own attach is out.
    if (role.kind === "receive") setImmediate(() => this.#startDelivery(sender, role.link));
  }

  #startDelivery(sender: AmqpSender, link: DeliveryLink): void {
    if (!this.#roles.has(sender)) return;
    this.#dispatcher.add(link);
    this.#dispatcher.wake(link.queue);
  }

  #forget(gone: (link: AmqpLink) => boolean): void {
    for (const [link, role] of this.#roles) {
      if (!gone(link)) continue;
      this.#roles.delete(link);
      if (role.kind === "receive") this.#dispatcher.remove(role.link);
    }
  }

  #wakeLink(sender: AmqpLink): void {
    const link = this.#deliveryLink(sender);
    if (link) this.#dispatcher.wake(link.queue);
  }

  #onMessage({ receiver, delivery, message, format }: AmqpEvent): void {
    const role = this.#roles.get(receiver);
    if (role?.kind === "send" && Buffer.isBuffer(message)) {
      this.#watch(this.#onSend(role.queue, receiver, delivery, message, format ?? 0));
    } else if (role?.kind === "management" && !Buffer.isBuffer(message)) {
      acceptDelivery(delivery);
      this.#watch(this.#onRequest(role, receiver, message));
    } else if (role?.kind === "tokens" && !Buffer.isBuffer(message)) {
      acceptDelivery(delivery);
      replyToToken(receiver, message);
    } else rejectDelivery(receiver, delivery, failures.badMessage("Nothing is expected on this link."), "client");
  }

  async #onSend(
    queue: Queue<WireMessage>,
    receiver: AmqpLink,
    delivery: AmqpDelivery,
    bytes: Buffer,
    format: number,
  ): Promise<void> {
    const { clock, maxMessageBytes } = this.#options;
    const tooLarge = bytes.length > maxMessageBytes && failures.messageTooLarge(bytes.length, maxMessageBytes);
    const messages = tooLarge || this.#attempt(() => parseTransfer(bytes, format));
    if ("condition" in messages) return rejectDelivery(receiver, delivery, messages, "client");
    queue.send(clock.nowMs(), messages);
    if (await this.#committed(queue)) acceptDelivery(delivery);
  }

  async #onRequest(
    { queue, place }: Extract<LinkRole, { kind: "management" }>,
    receiver: AmqpLink,
    request: AmqpRequest,
  ): Promise<void> {
    const { clock, maxMessageBytes } = this.#options;
    const operation = String(request.application_properties?.["operation"]);
    const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    const call = { queue, place, nowMs: clock.nowMs(), maxMessageBytes, body };
    const answer = this.#attempt((): ManagementAnswer => manage(operation, call));
    if (await this.#committed(queue))
      replyToManagement(receiver, request, "condition" in answer ? { kind: "failed", failure: answer } : answer);
  }

  async #onOutcome(name: Parameters<typeof verdictOf>[0], sender: AmqpSender, delivery: AmqpDelivery): Promise<void> {
    const link = this.#deliveryLink(sender);
    const token = link?.lockToken(delivery);
    if (!link || token === undefined || delivery.settled) return;
    const verdict = verdictOf(name, delivery.remote_state ?? {});
    const failure = applyVerdict(link.queue, this.#options.clock.nowMs(), token, verdict);
    if (failure) return rejectDelivery(sender, delivery, failure, "broker");
    // "Accepted" for all four: the client takes its own "rejected" sent back for a failure of the settlement.
    if (await this.#committed(link.queue)) acceptDelivery(delivery);
  }

  #deliveryLink(sender: AmqpLink): DeliveryLink | undefined {
    const role = this.#roles.get(sender);
    return role?.kind === "receive" ? role.link : undefined;
  }

  /** Whether what was changed is safe. Only then may anyone be told, by an answer or by a delivery. */
  async #committed(queue: Queue<WireMessage>): Promise<boolean> {
    try {
      await this.#options.store.commit();
    } catch {
      return false; // Reported by the journal; the client hears nothing and tries again elsewhere.
    }
    this.#dispatcher.wake(queue);
    return true;
  }

  /** The result, or the refusal of a request that cannot be read. */
  #attempt<T>(run: () => T) {
    try {
      return run();
    } catch (error) {
      this.#options.log("AMQP request that cannot be read", error);
      return failures.badMessage(error instanceof Error ? error.message : String(error));
    }
  }

  #watch(work: Promise<void>): void {
    work.catch((error: unknown) => this.#options.log("AMQP", error));
  }
}
