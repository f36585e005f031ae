import { AmqpEndpoint } from "./amqp/amqpEndpoint.ts";
import { type BrokerClock, systemClock } from "./clock.ts";
import { QueueStore } from "./journal/queueStore.ts";
import { PortListener } from "./portListener.ts";
import type { QueueCounts } from "./queue/queue.ts";
import type { QueueOptions } from "./queue/queueOptions.ts";

export interface BrokerOptions {
  readonly queues: readonly QueueOptions[];
  /** 0 or absent: a free port. */
  readonly port?: number;
  /** Default 127.0.0.1. The broker lets everyone in, so it should stay on this machine. */
  readonly host?: string;
  /** Folder of the journal; absent: everything is in memory and gone with the broker. */
  readonly journalDir?: string;
  /** Wait for the disk before answering: survives a power cut, not only a killed process. Default false. */
  readonly sync?: boolean;
  /** The journal is not rewritten before it has this size; default 8 MiB. */
  readonly compactFromBytes?: number;
  /** Limit of a message and of a batch; default 256 KiB, that of Azure's Standard tier. */
  readonly maxMessageBytes?: number;
  readonly clock?: BrokerClock;
  /** Told of broken connections and malformed input. Default: nobody is. */
  readonly log?: (message: string, error: unknown) => void;
  /** Called once when the journal cannot be written; the broker has stopped by then. */
  readonly onFailure?: (error: Error) => void;
}

/** A running Service Bus development broker. */
export interface Broker {
  readonly port: number;
  /** For `new ServiceBusClient(…)`. The key in it is a placeholder: none is checked. */
  readonly connectionString: string;
  /** Messages by state. Throws for a queue that was not asked for. */
  counts(queue: string): QueueCounts;
  /** Closes all connections so that clients come back to a successor on the same port, and the journal. */
  stop(): Promise<void>;
}

const defaultMaxMessageBytes = 256 * 1024;

/**
 * Starts a Service Bus development broker for the unmodified `@azure/service-bus`: queues with peek-lock, scheduling,
 * duplicate detection and dead-letter queues; no sessions, topics or deferral. Fails when the port or the journal
 * folder is in use, or an option makes no sense.
 */
export const startBroker = async (options: BrokerOptions): Promise<Broker> => {
  const { host = "127.0.0.1", port = 0, clock = systemClock, onFailure, log = () => undefined } = options;
  const store = await QueueStore.open({
    queues: options.queues,
    ...(options.journalDir !== undefined && { directory: options.journalDir }),
    ...(options.sync !== undefined && { sync: options.sync }),
    ...(options.compactFromBytes !== undefined && { compactFromBytes: options.compactFromBytes }),
    onFailure: (error) =>
      void stop().then(
        () => onFailure?.(error),
        () => onFailure?.(error),
      ),
  });
  const maxMessageBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
  const endpoint = new AmqpEndpoint({ store, clock, log, maxMessageBytes });
  const page = () => ({
    queues: Object.fromEntries([...store.all()].map((queue) => [queue.settings.name, queue.counts(clock.nowMs())])),
  });
  const listener = await PortListener.open({ host, port, endpoint, page }).catch(async (error: unknown) => {
    endpoint.stop();
    await store.close();
    throw error;
  });
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      endpoint.stop();
      await listener.close();
      await store.close();
    })();
    return stopping;
  };
  return {
    port: listener.port,
    connectionString: connectionString(host, listener.port),
    counts: (name) => {
      const queue = store.find(name);
      if (!queue) throw new Error(`The broker has no queue ${JSON.stringify(name)}.`);
      return queue.counts(clock.nowMs());
    },
    stop,
  };
};

/** `UseDevelopmentEmulator=true`, spelled exactly so, makes the client speak without TLS. */
const connectionString = (host: string, port: number): string =>
  [
    `Endpoint=sb://${host}:${port}`,
    "SharedAccessKeyName=RootManageSharedAccessKey",
    "SharedAccessKey=SAS_KEY_VALUE",
    "UseDevelopmentEmulator=true",
  ].join(";");
