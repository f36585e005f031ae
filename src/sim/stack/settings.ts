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

/** Settings of the function app on the local stack. */
export const appSettings = (given: Surroundings): Readonly<Record<string, string>> => ({
  SERVICE_BUS: serviceBusConnectionString(given.serviceBusPort),
});

/** Settings of the watcher on the local stack. */
export const watcherSettings = (given: Surroundings): Readonly<Record<string, string>> => ({
  SERVICE_BUS: serviceBusConnectionString(given.serviceBusPort),
});
