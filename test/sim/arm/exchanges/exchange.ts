import type { Json } from "../../../../src/sim/arm/json.ts";

/** JSON that nobody changes. */
export type Fact = null | boolean | number | string | readonly Fact[] | { readonly [name: string]: Fact };

/** What a header of an answer holds, in kinds where the value itself is Azure's own. */
export type HeaderKind =
  | "Enabled"
  | "gateway"
  /** Seconds as Azure chose them that day. */
  | "seconds"
  /** Exactly that many seconds. */
  | number
  | "weak etag"
  | "bare etag"
  | "quoted etag"
  /** URL of an operation of a provider in a region. */
  | "operation"
  /** The same with an api-version of the provider's own, not the request's. */
  | "operation of another version"
  /** URL of an operation's result, next to the operation. */
  | "operation result"
  | "operation result of another version"
  /** URL of an operation with `monitor=true`, which answers as a result does. */
  | "operation monitor"
  /** URL of an operation of private DNS in the resource group. */
  | "zone operation"
  | "zone operation result"
  /** URL of the deletion of a resource group. */
  | "group operation result"
  /** Id of the resource without host. */
  | "relative id";

export const watchedHeaders = [
  "azure-asyncoperation",
  "azure-asyncnotification",
  "location",
  "retry-after",
  "etag",
  "x-ms-failure-cause",
] as const;

export interface Sent {
  readonly method: "GET" | "PUT" | "DELETE";
  /** A path, or the URL that a header of the last answer names. */
  readonly to: string | { readonly named: "azure-asyncoperation" | "location" };
  readonly body?: Json;
  readonly apiVersion?: string;
}

/** A request that leads to the situation. */
export interface Step extends Sent {
  /** Whether its operation still runs when the next request is sent. Default false. */
  readonly running?: true;
}

export interface Answered {
  readonly status: number;
  /** Those of the watched headers that are there; the others are not. */
  readonly headers?: Readonly<Partial<Record<(typeof watchedHeaders)[number], HeaderKind>>>;
  /** `none` for an empty body, `{}` for an empty object. */
  readonly body: "none" | "{}" | BodyShape;
}

export interface BodyShape {
  /** Values by dotted path; list items by position. Compared exactly, case included. */
  readonly values?: Readonly<Record<string, Fact>>;
  /** Paths that are there, whatever they hold. */
  readonly shows?: readonly string[];
  /** Paths that are not there. */
  readonly omits?: readonly string[];
  /** The top-level names are these and no others. */
  readonly only?: readonly string[];
  /** How the etag in the body relates to that of the last step. */
  readonly etag?: "kept" | "renewed";
}

/**
 * One exchange with Azure: what was asked in which situation, and what Azure's answer looked like. The facts were read
 * from public recordings and written down by hand; names, ids and bodies are our own.
 */
export interface Exchange {
  readonly when: string;
  /** Recording (of Azure/azure-service-operator unless it says otherwise) and api-version. */
  readonly source: string;
  readonly before?: readonly Step[];
  /** How long after the last step, in seconds. Default: its operation has just ended. */
  readonly afterSeconds?: number;
  readonly ask: Sent;
  readonly answer: Answered;
  /** Where the simulator is deliberately simpler: what it answers otherwise, and why. */
  readonly simpler?: string;
}
