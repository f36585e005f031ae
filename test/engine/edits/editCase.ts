import type { JsonObject } from "../../../src/core/types.ts";

/** Edits of an AzureCluster's spec, each with the fields that it is about. Patches are merge patches (RFC 7386). */

/** One edit, and every write that it may cause: `PUT loadBalancers/c1: path, path`, `PUT … (new)`, `DELETE …`. */
export type Step = readonly [patch: JsonObject, writes: readonly string[]];

interface About {
  readonly title: string;
  /** Paths of the spec's schema; `…` at the end stands for everything below. */
  readonly fields: readonly string[];
  /** What the cluster is made with, over the default cluster. */
  readonly from?: JsonObject;
}

/** Edits, one after another, that Capstan carries out, or that mean nothing in Azure. */
export interface Carried extends About {
  readonly steps: readonly Step[];
}

/** An edit that the API server refuses, and the words by which it says what would be right. */
export interface Refused extends About {
  readonly edit: JsonObject;
  readonly field: string;
  readonly says: string;
}

/** An edit of what only Azure knows to be fixed. */
export interface Fixed extends About {
  readonly edit: JsonObject;
  readonly condition: string;
  /** Both values, as the condition tells them. */
  readonly says: readonly string[];
}

/** Pieces of patches. */
export const network = (networkSpec: JsonObject): JsonObject => ({ networkSpec });
export const cp: JsonObject = { name: "control-plane-subnet", role: "control-plane" };
export const node: JsonObject = { name: "node-subnet", role: "node" };
export const subnets = (...listed: readonly JsonObject[]): JsonObject => network({ subnets: listed });
export const nodes = (part: JsonObject): JsonObject => subnets(cp, { ...node, ...part });
export const internal: JsonObject = network({ apiServerLB: { type: "Internal" } });
