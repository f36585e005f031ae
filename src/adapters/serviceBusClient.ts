import type { TokenCredential } from "@azure/core-auth";
import type { ServiceBusClient } from "@azure/service-bus";
import type { Failure } from "../core/types.ts";

/** Where the queues are. */
export type ServiceBusSource =
  | { readonly kind: "connectionString"; readonly connectionString: string }
  /** `name.servicebus.windows.net`. */
  | { readonly kind: "namespace"; readonly namespace: string; readonly credential: TokenCredential };

/** One connection that senders and receivers share, made when first needed. */
export interface ServiceBusConnection {
  readonly client: () => Promise<ServiceBusClient>;
  /** A client of its own, which the caller closes. */
  readonly separate: () => Promise<ServiceBusClient>;
  readonly close: () => Promise<void>;
}

/** Of each request to the broker. */
export const requestMs = 10_000;

/** The engine, the host and the watcher retry by their own rules; the client only bridges a lost connection. */
const retryOptions = { maxRetries: 1, retryDelayInMs: 300, timeoutInMs: requestMs };

export const serviceBusConnection = (source: ServiceBusSource): ServiceBusConnection => {
  let opened: Promise<ServiceBusClient> | undefined;
  const open = async (): Promise<ServiceBusClient> => {
    const sdk = await import("@azure/service-bus");
    return source.kind === "connectionString"
      ? new sdk.ServiceBusClient(source.connectionString, { retryOptions })
      : new sdk.ServiceBusClient(source.namespace, source.credential, { retryOptions });
  };
  return {
    client: () => {
      opened ??= open();
      return opened;
    },
    separate: open,
    close: async () => {
      const closing = opened;
      opened = undefined;
      await (await closing)?.close();
    },
  };
};

/** Only the code of what the client threw: its text names hosts and may quote the connection string. */
export const brokerFailure = (error: unknown): Failure => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  const word = code ?? (error instanceof Error ? error.name : "unknown");
  return { kind: "transient", code: word, message: `the queue did not take or give a message (${word})` };
};
