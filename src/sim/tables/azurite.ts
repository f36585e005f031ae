import { type Exit, launch } from "../process/launch.ts";

export interface TablesOptions {
  /** Folder that keeps the tables; written every 5 s and at `stop`. Default: kept in memory only. */
  readonly persistTo?: string;
  /** Default 0, a free one. */
  readonly port?: number;
  readonly log?: (line: string, stream: "stdout" | "stderr") => void;
}

/** A table service that runs as a child process. */
export interface Tables {
  /** Of the account, as `TableServiceClient` takes it; plain HTTP on 127.0.0.1. */
  readonly url: string;
  readonly connectionString: string;
  readonly accountName: string;
  readonly accountKey: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** SIGKILL loses up to 5 s of what `persistTo` keeps. */
  kill(signal: NodeJS.Signals): boolean;
  stop(): Promise<Exit>;
}

interface Ready {
  readonly url: string;
  readonly accountName: string;
  readonly accountKey: string;
}

const isReady = (value: unknown): value is Ready =>
  typeof value === "object" && value !== null && "url" in value && "accountName" in value && "accountKey" in value;

/**
 * Starts Azurite's table service, without telemetry, blobs or queues.
 * Clients need `allowInsecureConnection: true`; the account and its key are those that every storage emulator has.
 */
export const startTables = async ({ persistTo, port = 0, log }: TablesOptions = {}): Promise<Tables> => {
  const child = await launch({
    entry: new URL("main.ts", import.meta.url),
    args: ["--port", String(port), ...(persistTo === undefined ? [] : ["--persist-to", persistTo])],
    isReady,
    ...(log !== undefined && { onLine: log }),
  });
  const { ready } = child;
  if (!isReady(ready)) throw new Error("The table service gave a ready line of another form");
  const { url, accountName, accountKey } = ready;
  return {
    url,
    accountName,
    accountKey,
    connectionString: `DefaultEndpointsProtocol=http;AccountName=${accountName};AccountKey=${accountKey};TableEndpoint=${url};`,
    pid: child.pid,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    stop: () => child.stop(),
  };
};
