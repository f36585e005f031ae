import { parseArgs } from "node:util";
import { parseQueueFlag } from "./parseQueueFlag.ts";
import { startBroker } from "./startBroker.ts";

const usage = `usage: main.ts --queue NAME[:maxDeliveryCount=N,lockSeconds=N,duplicateDetectionSeconds=N] …
               [--port N] [--journal DIR] [--sync] [--exit-with-parent]

Runs a Service Bus development broker until SIGTERM. Prints {"port":N} when it is ready.
`;

const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
};

const run = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      queue: { type: "string", multiple: true, default: [] },
      port: { type: "string", default: "0" },
      journal: { type: "string" },
      sync: { type: "boolean", default: false },
      "exit-with-parent": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help || values.queue.length === 0) throw new Error(usage);
  if (!/^\d{1,5}$/.test(values.port)) throw new Error(`--port ${values.port}: not a port`);
  const broker = await startBroker({
    port: Number(values.port),
    queues: values.queue.map(parseQueueFlag),
    sync: values.sync,
    ...(values.journal !== undefined && { journalDir: values.journal }),
    log: (message, error) => process.stderr.write(`${message}: ${String(error)}\n`),
    onFailure: fail,
  });
  const end = () => void broker.stop().then(() => process.exit(0), fail);
  process.once("SIGTERM", end).once("SIGINT", end);
  if (values["exit-with-parent"]) process.stdin.resume().once("close", end).once("end", end);
  process.stdout.write(`${JSON.stringify({ port: broker.port })}\n`);
};

await run().catch(fail);
