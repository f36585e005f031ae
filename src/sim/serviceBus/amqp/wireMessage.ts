/** A message as its sender encoded it, except for what a broker owns: header and some annotations. */
export interface WireMessage {
  readonly durable?: boolean;
  readonly priority?: number;
  readonly timeToLiveMs?: number;
  /** The sender's own message annotations: encoded key, encoded value, and so on. */
  readonly annotations: readonly Buffer[];
  /** Properties, application properties, body and footer, byte for byte, so that no AMQP type is lost. */
  readonly rest: Buffer;
}
