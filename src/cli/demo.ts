import { type Command, Option } from "commander";
import { type DemoOptions, parseLatency, parsePort, parseSeconds, quickstart } from "./demoOptions.ts";

const defaultTimeoutSeconds = 300;

/** `capstan demo`: everything on this machine. */
export const addDemo = (program: Command): void => {
  program
    .command("demo")
    .description(
      "run Capstan with Kubernetes, Cluster API and a simulated Azure on this machine, apply a manifest and show its objects",
    )
    .addOption(
      new Option("--manifest <file>", "manifest to apply; its variables are filled from the environment").default(
        quickstart,
        "examples/quickstart.yaml",
      ),
    )
    .option("--once", "end when everything is ready (status 0), or with the reasons when it is not in time (1)")
    .option("--timeout <seconds>", "how long --once waits once the stack is up", parseSeconds, defaultTimeoutSeconds)
    .option("--plan", "print first what Azure will be asked for")
    .option("--requests <file>", "write each request to the simulated Azure to this file, one JSON object a line")
    .option("--latency <time>", "how long operations of Azure take: milliseconds, sync or realistic", parseLatency, 0)
    .option("--any-subscription", "let the simulated Azure know every subscription, not only the manifest's")
    .option("--data <folder>", "keep the data in this folder; Azure itself begins empty each time")
    .option("--api-server-port <port>", "fixed port instead of a free one", parsePort)
    .option("--tables-port <port>", "fixed port instead of a free one", parsePort)
    .option("--service-bus-port <port>", "fixed port instead of a free one", parsePort)
    .option("--azure-port <port>", "fixed port instead of a free one", parsePort)
    .option("--functions-port <port>", "fixed port instead of a free one", parsePort)
    .action(async (options: DemoOptions) => {
      // It brings the whole stack, which no other command needs.
      const { runDemo } = await import("./runDemo.ts");
      process.exitCode = await runDemo(options);
    });
};
