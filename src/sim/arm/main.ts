import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { exitWithParent } from "../process/exitWithParent.ts";
import { isObject } from "./json.ts";
import type { ArmSimulatorOptions, Duration, Latency } from "./options.ts";
import { startArmSimulator } from "./startArmSimulator.ts";

const usage =
  "usage: main.ts [--port N] [--requests FILE] [--latency MS|sync|realistic|JSON] [--retry-after SECONDS|none] [--options FILE] [--exit-with-parent]";

const parseLatency = (text: string): Duration | "realistic" | Latency => {
  if (text === "sync" || text === "realistic") return text;
  if (/^\d+$/.test(text)) return Number(text);
  const value: unknown = JSON.parse(text);
  if (!isObject(value)) throw new Error(`--latency ${text}\n${usage}`);
  // A latency table is plain JSON; what a name or a number in it gets wrong falls back to the default.
  return value as Latency;
};

const parseRetryAfter = (text: string): number | "none" => {
  if (text !== "none" && !/^\d+$/.test(text)) throw new Error(`--retry-after ${text}\n${usage}`);
  return text === "none" ? text : Number(text);
};

const readOptions = (file: string): ArmSimulatorOptions => {
  const value: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(value)) throw new Error(`${file} holds no JSON object`);
  // Same as for the admin interface: options are plain JSON that the operator of the simulation writes.
  return value as ArmSimulatorOptions;
};

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    requests: { type: "string" },
    latency: { type: "string" },
    "retry-after": { type: "string" },
    options: { type: "string" },
    "exit-with-parent": { type: "boolean", default: false },
  },
});

const simulator = await startArmSimulator({
  ...(values.options === undefined ? {} : readOptions(values.options)),
  ...(values.latency === undefined ? {} : { latency: parseLatency(values.latency) }),
  ...(values["retry-after"] === undefined ? {} : { retryAfterSeconds: parseRetryAfter(values["retry-after"]) }),
  ...(values.requests === undefined ? {} : { requestsFile: values.requests }),
  port: Number(values.port),
});

const leave = (): void => {
  void simulator.stop().then(() => process.exit(0));
};
process.once("SIGTERM", leave);
process.once("SIGINT", leave);
if (values["exit-with-parent"]) exitWithParent(leave);
process.stdout.write(`${JSON.stringify({ port: simulator.port })}\n`);
