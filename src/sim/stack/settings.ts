/** What the settings of the function app and the watcher are made of. */
export interface Surroundings {
  readonly kubeconfigPath: string;
  /** uid of the management cluster. */
  readonly cluster: string;
  readonly tablesConnectionString: string;
  readonly serviceBusPort: number;
  readonly azurePort: number;
}

/** The broker asks for no key; the text before it makes the client speak without TLS. */
const serviceBusConnectionString = (port: number): string =>
  `Endpoint=sb://127.0.0.1:${port};SharedAccessKeyName=local;SharedAccessKey=local;UseDevelopmentEmulator=true`;

/** What the caller's environment says about some other installation; empty means unset. */
const withoutOthers = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(env)
      .filter((name) => /^(CAPSTAN_|ServiceBusConnection|AZURE_FEDERATED_TOKEN_FILE$)/.test(name))
      .map((name) => [name, ""]),
  );

/** Settings of the function app on the local stack. `AZURE_SUBSCRIPTION_ID` is that of the environment. */
export const appSettings = (given: Surroundings, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> => ({
  ...withoutOthers(env),
  CAPSTAN_DEVELOPMENT: "true",
  CAPSTAN_ARM_REROUTE: `http://127.0.0.1:${given.azurePort}`,
  CAPSTAN_CLUSTERS: JSON.stringify([{ uid: given.cluster, kubeconfig: given.kubeconfigPath }]),
  CAPSTAN_TABLES_CONNECTION: given.tablesConnectionString,
  CAPSTAN_QUEUE: "reconcile",
  ServiceBusConnection: serviceBusConnectionString(given.serviceBusPort),
});

/** Settings of the watcher on the local stack. */
export const watcherSettings = (given: Surroundings, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> => ({
  ...withoutOthers(env),
  CAPSTAN_KUBECONFIG: given.kubeconfigPath,
  CAPSTAN_SERVICE_BUS_CONNECTION: serviceBusConnectionString(given.serviceBusPort),
  CAPSTAN_HEALTH_PORT: "0",
});
