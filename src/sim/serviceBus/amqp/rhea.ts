import type { Socket } from "node:net";
import container from "rhea";
import frames from "rhea/lib/frames.js";

/** The parts of rhea that the broker stands on; its own typings leave most of them out. The version is pinned. */

export interface AmqpError {
  readonly condition: string;
  readonly description: string;
  readonly info?: Readonly<Record<string, unknown>>;
}

/** The terminal state that a peer put on a delivery. */
export interface Outcome {
  readonly error?: AmqpError;
  readonly undeliverable_here?: boolean;
  readonly message_annotations?: Readonly<Record<string, unknown>>;
}

export interface AmqpDelivery {
  readonly id: number;
  readonly remote_state?: Outcome;
  settled: boolean;
  remote_settled: boolean;
  state: unknown;
  update(settled: boolean, state: unknown): void;
}

export interface Terminus {
  readonly address?: string | undefined;
  readonly filter?: Readonly<Record<string, unknown>> | null;
}

/** A link seen from the broker: a sender when the client receives, a receiver when it sends. */
export interface AmqpLink {
  readonly name: string;
  readonly session: AmqpSession;
  readonly connection: AmqpConnection;
  readonly source: Terminus | null | undefined;
  readonly target: Terminus | null | undefined;
  readonly snd_settle_mode: number;
  readonly rcv_settle_mode: number;
  readonly local: { readonly attach: { snd_settle_mode: number; rcv_settle_mode: number } };
  set_source(fields: Terminus): void;
  set_target(fields: Terminus): void;
  is_open(): boolean;
  close(error?: AmqpError): void;
}

export interface AmqpSender extends AmqpLink {
  credit: number;
  delivery_count: number;
  _draining: boolean;
  _drained: boolean;
  _get_drain(): boolean;
  set_drained(drained: boolean): void;
  send(message: Buffer, tag: Buffer | undefined, format: number): AmqpDelivery;
  send(message: Readonly<Record<string, unknown>>): AmqpDelivery;
}

export type AmqpReceiver = AmqpLink;

export interface Frame {
  readonly performative: { message_format?: number };
}

export interface AmqpSession {
  readonly links: Readonly<Record<string, AmqpLink>>;
  readonly connection: AmqpConnection;
  readonly outgoing: { available(): number; transfer_window(): number };
  create_sender(name: string, options?: unknown): AmqpSender;
  on_transfer(frame: Frame): void;
  on_flow(frame: Frame): void;
  output(frame: unknown): void;
  is_open(): boolean;
  _get_link(frame: Frame): AmqpLink;
}

export interface AmqpConnection {
  accept(socket: Socket): void;
  close(error?: AmqpError): void;
  is_open(): boolean;
  find_sender(matches: (link: AmqpSender) => boolean): AmqpSender | undefined;
  _register(): void;
  _write_frame(): void;
}

export interface AmqpRequest {
  readonly message_id?: unknown;
  readonly reply_to?: string;
  readonly application_properties?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** What an event brings along; which fields are present depends on the event. */
export interface AmqpEvent {
  readonly connection: AmqpConnection;
  readonly session: AmqpSession;
  readonly sender: AmqpSender;
  readonly receiver: AmqpReceiver;
  readonly delivery: AmqpDelivery;
  readonly message: Buffer | AmqpRequest;
  /** Of the transfer; present when the message is handed over undecoded. */
  readonly format?: number;
  readonly error?: Error;
}

export interface AmqpContainer {
  readonly sasl_server_mechanisms: Record<string, unknown> & {
    enable_anonymous(): void;
    enable_plain(check: () => boolean): void;
  };
  create_connection(options: { readonly reconnect: false }): AmqpConnection;
  on(event: string, handle: (event: AmqpEvent) => void): void;
}

/** An AMQP value together with its wire type. */
export interface TypedValue {
  readonly value: unknown;
}

interface AmqpTypes {
  readonly Reader: new (buffer: Buffer) => { readonly position: number; read(): TypedValue };
  readonly Writer: new () => { write(value: TypedValue): void; toBuffer(): Buffer };
  wrap(value: unknown): TypedValue;
  unwrap(value: TypedValue): unknown;
  wrap_int(value: number): TypedValue;
  wrap_symbol(value: string): TypedValue;
  wrap_array(values: readonly unknown[], typeCode: number, descriptor: undefined): TypedValue;
}

interface Outcomes {
  accepted(): { described(): unknown };
  rejected(fields: { readonly error: AmqpError }): { described(): unknown };
}

// rhea is JavaScript with partial typings: what it really offers is stated above and proven by the contract tests.
const rhea = container as unknown as {
  readonly types: AmqpTypes;
  readonly message: Outcomes;
  create_container(options: Readonly<Record<string, unknown>>): AmqpContainer;
};

export const types: AmqpTypes = rhea.types;
/** Encodes a disposition as a frame of its own. */
export const disposition: typeof frames.disposition = (fields) => frames.disposition(fields);
export const createContainer = (options: Readonly<Record<string, unknown>>): AmqpContainer =>
  rhea.create_container(options);

export const accepted = (): unknown => rhea.message.accepted().described();
export const rejected = (error: AmqpError): unknown => rhea.message.rejected({ error }).described();
