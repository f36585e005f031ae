import type { FaultRule } from "./faults.ts";
import type { JsonObject } from "./json.ts";

/**
 * How long an operation takes: milliseconds (0 = done at the first poll or any later request), or `"sync"`: the answer
 * itself is final and names no operation.
 */
export type Duration = number | "sync";

/**
 * How an accepted write says what to wait for: `operation` by Azure-AsyncOperation (and Location on 202), `location` by
 * Location alone, `state` only by provisioningState of the resource, `sync` not at all: it is done.
 */
export type OperationStyle = "operation" | "location" | "state" | "sync";

export interface Latency {
  readonly default?: Duration;
  /** By resource type (any case); a type not named takes `default`. */
  readonly types?: Readonly<Record<string, Duration | { readonly put?: Duration; readonly delete?: Duration }>>;
}

/** A bucket of `capacity` requests that refills with `perSecond`. */
export interface TokenBucketOptions {
  readonly capacity: number;
  readonly perSecond: number;
}

/** An identity (the bearer token's value) that may not do something. */
export interface Denial {
  readonly identity: string;
  /** Default: every subscription. */
  readonly subscription?: string;
  /** Default: every action. */
  readonly actions?: readonly ("read" | "write" | "delete" | "action")[];
  /** Only below this scope; default: the whole subscription. */
  readonly scope?: string;
}

/** What is out of stock. */
export interface Shortage {
  readonly size: string;
  readonly location?: string;
  readonly zone?: string;
  /** `SkuNotAvailable` refuses the request (409); every other code fails the operation. */
  readonly code: "SkuNotAvailable" | "AllocationFailed" | "ZonalAllocationFailed" | "OverconstrainedAllocationRequest";
}

export interface Quotas {
  /** Standard public IP addresses per subscription and region. */
  readonly publicIps?: number;
  /** Cores per subscription and region. */
  readonly cores?: number;
  /** Cores per family, e.g. `standardDSv3Family`. */
  readonly families?: Readonly<Record<string, number>>;
}

/** A write as a validator sees it: the original body, secrets included. */
export interface WriteToValidate {
  readonly method: string;
  readonly path: string;
  readonly apiVersion: string | undefined;
  readonly body: JsonObject | undefined;
}

/** Everything that can be set; all but `validate` and `seedText` can also be changed while it runs. */
export interface ArmSimulatorOptions {
  /** Base of every absolute URL that is handed out. Default `https://management.azure.com`. */
  readonly endpoint?: string;
  /** A duration for everything, a table, or `"realistic"` (tens of seconds for machines). Default 0. */
  readonly latency?: Duration | "realistic" | Latency;
  /** Forces a style on a resource type (any case) that its provider does not have. */
  readonly operationStyles?: Readonly<Record<string, OperationStyle>>;
  /** Whether Azure's own filling, omitting and doubling of fields happens. Default `"azure"`. */
  readonly defaults?: "azure" | "none";
  /**
   * How the prefixes of a subnet come back when there is exactly one: as they were sent, as `addressPrefix`, as
   * `addressPrefixes`, or both. Default `"asSent"`.
   */
  readonly subnetPrefixes?: "asSent" | "single" | "list" | "both";
  /** Known subscriptions. By default every id is one. */
  readonly subscriptions?: readonly string[];
  /** `"azure"` refuses unknown regions, `"any"` does not look. Default `"azure"`. */
  readonly locations?: "azure" | "any";
  /** Items of a list page. Default 100. */
  readonly pageSize?: number;
  /** Whether operation URLs carry a signature of real length (3.4 kB). Default true. */
  readonly signedUrls?: boolean;
  /** How long a finished operation can be polled. Default a day. */
  readonly operationLifetimeMs?: number;
  /** Overrides every Retry-After of operations, in seconds; `"none"` leaves the header out. Default: per type. */
  readonly retryAfterSeconds?: number | "none";
  readonly denied?: readonly Denial[];
  /** Tokens that are answered with 401. */
  readonly rejectedTokens?: readonly string[];
  /** Provider namespaces that answer `MissingSubscriptionRegistration` until they are registered. */
  readonly unregisteredProviders?: readonly string[];
  /** Limits per subscription and identity. Default: none, the headers then show Azure's usual numbers. */
  readonly throttling?: {
    readonly reads?: TokenBucketOptions;
    readonly writes?: TokenBucketOptions;
    readonly deletes?: TokenBucketOptions;
    /** Buckets of resource providers by namespace (any case), each for all its requests; 429 with code `TooManyRequests`. */
    readonly providers?: Readonly<Record<string, TokenBucketOptions & { readonly policy: string }>>;
  };
  /** Soft consistency. Defaults 0. */
  readonly consistency?: { readonly hiddenAfterPutMs?: number; readonly visibleAfterDeleteMs?: number };
  /** How late Resource Graph shows the changes that happen from now on. Default 0; up to 40 min were seen in public. */
  readonly changeFeed?: { readonly delayMs: number };
  readonly quotas?: Quotas;
  readonly shortages?: readonly Shortage[];
  /** How long the NIC of a deleted or failed machine stays reserved (Azure: 180 s). Default 0. */
  readonly nicReservationMs?: number;
  readonly faults?: readonly FaultRule[];
  /** Called for each PUT, PATCH and POST before it is handled; what it returns stands in the request log. */
  readonly validate?: (write: WriteToValidate) => readonly unknown[];
  /** Requests kept in memory. Default 50,000. */
  readonly keepRequests?: number;
  /** Makes ids, etags and addresses of two simulators differ. Default "arm". */
  readonly seedText?: string;
}

/** Typical durations on Azure, in milliseconds, rounded from public recordings and experience. */
const realistic: Latency = {
  default: 2_000,
  types: {
    "Microsoft.Resources/resourceGroups": { put: "sync", delete: 45_000 },
    "Microsoft.Network/publicIPAddresses": { put: 1_500, delete: 8_000 },
    "Microsoft.Network/virtualNetworks": { put: 3_000, delete: 10_000 },
    "Microsoft.Network/natGateways": { put: 10_000, delete: 12_000 },
    "Microsoft.Network/loadBalancers": { put: 2_000, delete: 10_000 },
    "Microsoft.Network/networkInterfaces": { put: 1_000, delete: 8_000 },
    "Microsoft.Network/bastionHosts": { put: 300_000, delete: 180_000 },
    "Microsoft.Network/privateDnsZones": { put: 15_000, delete: 15_000 },
    "Microsoft.Network/privateDnsZones/virtualNetworkLinks": { put: 30_000, delete: 30_000 },
    "Microsoft.Compute/virtualMachines": { put: 35_000, delete: 30_000 },
    "Microsoft.Compute/virtualMachines/extensions": { put: 20_000, delete: 10_000 },
    "Microsoft.Compute/virtualMachineScaleSets": { put: 45_000, delete: 40_000 },
    "Microsoft.ContainerService/managedClusters": { put: 240_000, delete: 180_000 },
    "Microsoft.ContainerService/managedClusters/agentPools": { put: 120_000, delete: 90_000 },
  },
};

const tableOf = (latency: ArmSimulatorOptions["latency"]): Latency => {
  if (latency === "realistic") return realistic;
  return typeof latency === "object" ? latency : { default: latency ?? 0 };
};

/** How long one operation on a type takes. */
export const durationOf = (options: ArmSimulatorOptions, type: string, verb: "put" | "delete"): Duration => {
  const table = tableOf(options.latency);
  const wanted = type.toLowerCase();
  const entry = Object.entries(table.types ?? {}).find(([name]) => name.toLowerCase() === wanted)?.[1];
  const own = typeof entry === "object" ? entry[verb] : entry;
  return own ?? table.default ?? 0;
};
