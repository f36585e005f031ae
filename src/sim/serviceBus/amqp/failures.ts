import type { AmqpError } from "./rhea.ts";

/** A refusal: the AMQP error, and the status that a management reply carries with it. */
export interface Failure extends AmqpError {
  readonly status: number;
}

/**
 * Conditions and the texts that `@azure/service-bus` maps to its error codes
 * (https://learn.microsoft.com/azure/service-bus-messaging/service-bus-amqp-troubleshoot).
 */
export const failures = {
  /** The client looks for these very words to tell an unknown entity from other things not found. */
  entityNotFound: (address: string): Failure => ({
    condition: "amqp:not-found",
    description: `The messaging entity '${address}' could not be found.`,
    status: 404,
  }),
  notAllowed: (description: string): Failure => ({ condition: "amqp:not-allowed", description, status: 400 }),
  notImplemented: (description: string): Failure => ({ condition: "amqp:not-implemented", description, status: 501 }),
  badMessage: (description: string): Failure => ({ condition: "amqp:decode-error", description, status: 400 }),
  badRequest: (description: string): Failure => ({
    condition: "com.microsoft:argument-error",
    description,
    status: 400,
  }),
  messageTooLarge: (bytes: number, limit: number): Failure => ({
    condition: "amqp:link:message-size-exceeded",
    description: `The message of ${bytes} bytes exceeds the limit of ${limit} bytes on this link.`,
    status: 400,
  }),
  lockLost: (): Failure => ({
    condition: "com.microsoft:message-lock-lost",
    description: "The lock is invalid: it expired, or the message was already settled.",
    status: 410,
  }),
  messageNotFound: (sequenceNumber: number): Failure => ({
    condition: "com.microsoft:message-not-found",
    description: `There is no scheduled message with sequence number ${sequenceNumber}.`,
    status: 404,
  }),
} as const;
