import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { localTransport } from "../src/adapters/armTransport.ts";
import { azure } from "../src/adapters/azure.ts";
import { createCredentials } from "../src/adapters/credentials.ts";
import { AzureFacts } from "../src/adapters/facts.ts";
import { kubeClusters } from "../src/adapters/kubeClusters.ts";
import { jsonLog } from "../src/adapters/log.ts";
import { serviceBus } from "../src/adapters/serviceBus.ts";
import { serviceBusConnection } from "../src/adapters/serviceBusClient.ts";
import { serviceBusReplay } from "../src/adapters/serviceBusReplay.ts";
import { tables } from "../src/adapters/tables.ts";
import { platformCredential } from "../src/adapters/tokenCredential.ts";
import { type Config, readConfig } from "../src/config.ts";
import type { Deps } from "../src/engine/deps.ts";
import type { Parked } from "../src/engine/parked.ts";
import { createSharedCache } from "../src/engine/shared/sharedCache.ts";
import { createThrottle } from "../src/engine/throttle/throttle.ts";
import { kinds } from "../src/kinds/index.ts";
import type { Azure, Clock, Tables } from "../src/ports.ts";
import { loadSchema } from "../src/wire/loadSchema.ts";

/** What the functions work with. */
export interface Composed {
  readonly deps: Deps;
  readonly parked: Parked;
}

const clock: Clock = { monotonicMs: () => performance.now(), sleep: (ms) => sleep(ms) };

const azureOf = async (config: Config, log: Deps["log"]): Promise<Azure> => {
  const { armReroute } = config.development ?? {};
  const credentials = createCredentials({
    ...(config.ownClientId !== undefined && { ownClientId: config.ownClientId }),
    ...(config.allowedIdentities !== undefined && { allowedIdentities: config.allowedIdentities }),
    ...(config.credentialFolder !== undefined && { credentialFolder: config.credentialFolder }),
    ...(config.federatedTokenFile !== undefined && { federatedTokenFile: config.federatedTokenFile }),
    staticTokens: armReroute !== undefined,
  });
  const transport = armReroute === undefined ? {} : { transport: await localTransport(armReroute) };
  return azure({ credentials, userAgent: "capstan", log, ...transport });
};

const tablesOf = async ({ tables: source, ownClientId }: Config): Promise<Tables> =>
  tables({
    source:
      source.kind === "connectionString" ? source : { ...source, credential: await platformCredential(ownClientId) },
  });

/** The composition root: the only place where adapters meet the engine. Throws with every setting that is wrong. */
export const compose = async (env: NodeJS.ProcessEnv): Promise<Composed> => {
  const read = readConfig(env);
  if (!read.ok)
    throw new Error(`the settings are not usable:\n${read.error.map((problem) => `- ${problem}`).join("\n")}`);
  const config = read.value;
  const log = jsonLog(config.logLevel);
  const bus = serviceBusConnection(
    config.serviceBus.kind === "connectionString"
      ? config.serviceBus
      : { ...config.serviceBus, credential: await platformCredential(config.ownClientId) },
  );
  const deps: Deps = {
    azure: await azureOf(config, log),
    clusters: kubeClusters(config.clusters),
    tables: await tablesOf(config),
    queue: serviceBus(bus, config.queue),
    clock,
    nonce: () => randomBytes(8).toString("hex"),
    random: Math.random,
    log,
    facts: new AzureFacts(() => clock.monotonicMs()),
    throttle: createThrottle(),
    shared: createSharedCache(),
    kinds,
    schema: loadSchema,
    settings: {
      clusters: config.clusters.map(({ uid }) => uid),
      driftPeriodMs: config.driftPeriodMs,
      ...(config.watchFilter !== undefined && { watchFilter: config.watchFilter }),
      ...(config.subscriptionId !== undefined && { subscriptionId: config.subscriptionId }),
    },
  };
  return { deps, parked: serviceBusReplay(bus, config.queue) };
};

let once: Promise<Composed> | undefined;

/** Composed at the first call and kept for the life of the process; tried again after it failed. */
export const composed = (): Promise<Composed> => {
  once ??= compose(process.env).catch((error: unknown) => {
    once = undefined;
    throw error;
  });
  return once;
};
