import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import type { ArmSimulatorOptions } from "../sim/arm/options.ts";
import type { StackPorts } from "../sim/stack/stack.ts";

/** What `capstan demo` was asked for. */
export interface DemoOptions {
  readonly manifest: string;
  readonly once?: boolean;
  readonly timeout: number;
  readonly requests?: string;
  readonly plan?: boolean;
  readonly data?: string;
  readonly latency: NonNullable<ArmSimulatorOptions["latency"]>;
  readonly anySubscription?: boolean;
  readonly apiServerPort?: number;
  readonly tablesPort?: number;
  readonly serviceBusPort?: number;
  readonly azurePort?: number;
  readonly functionsPort?: number;
}

export const quickstart = join(import.meta.dirname, "..", "..", "examples", "quickstart.yaml");

export const parsePort = (text: string): number => {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError("It must be 1 to 65535.");
  return port;
};

export const parseSeconds = (text: string): number => {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw new InvalidArgumentError("It must be a number of seconds.");
  return seconds;
};

export const parseLatency = (text: string): DemoOptions["latency"] => {
  if (text === "sync" || text === "realistic") return text;
  if (/^\d+$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be milliseconds, sync or realistic.");
};

/** The ports that were asked for. */
export const portsOf = (options: DemoOptions): StackPorts => ({
  ...(options.apiServerPort !== undefined && { apiServer: options.apiServerPort }),
  ...(options.tablesPort !== undefined && { tables: options.tablesPort }),
  ...(options.serviceBusPort !== undefined && { serviceBus: options.serviceBusPort }),
  ...(options.azurePort !== undefined && { azure: options.azurePort }),
  ...(options.functionsPort !== undefined && { functions: options.functionsPort }),
});
