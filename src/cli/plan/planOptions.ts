import type { KubeOptions } from "../operate/cluster.ts";

/** What `capstan plan` was asked for. */
export interface PlanOptions extends KubeOptions {
  readonly filename?: readonly string[];
  readonly recursive?: boolean;
  readonly cluster?: boolean;
  readonly azure?: boolean;
  readonly namespace?: string;
  /** As whom Azure is read; default: as the object's identity where its credential can be had, else as the caller. */
  readonly as?: "identity" | "login";
  readonly zones?: readonly string[];
  readonly delete?: boolean;
  readonly output?: "wide" | "json" | "yaml";
  readonly exitCode?: boolean;
  readonly settings?: string;
  /** Variables as `NAME=VALUE`. */
  readonly set?: readonly string[];
  readonly variables?: string;
  readonly fill?: boolean;
}

/** Status of a plan that would change something, when that is asked for. */
export const changesStatus = 1;
/** Status when something cannot be planned. */
export const cannotPlanStatus = 3;
