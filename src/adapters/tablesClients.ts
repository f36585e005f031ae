import type { TokenCredential } from "@azure/core-auth";
import type { TableClient, TableServiceClientOptions } from "@azure/data-tables";
import type { TableName } from "../ports.ts";

/** Where the tables are. */
export type TablesSource =
  /** With a key; plain HTTP is allowed, because only emulators have it. */
  | { readonly kind: "connectionString"; readonly connectionString: string }
  | { readonly kind: "endpoint"; readonly endpoint: string; readonly credential: TokenCredential };

export type TableClients = (table: TableName) => Promise<TableClient>;

/**
 * One client for each table, made when first needed.
 * @param prefix before the name of each table, for instance `capstan`
 * @param onDate called with the `Date` header of every answer, a refusal's too
 */
export const tableClients = (
  source: TablesSource,
  prefix: string,
  onDate: (header: string | undefined) => void,
): TableClients => {
  const options: TableServiceClientOptions = {
    // Whoever calls has one idea of retrying, the engine's.
    retryOptions: { maxRetries: 0 },
    additionalPolicies: [
      {
        position: "perRetry",
        policy: {
          name: "serviceDate",
          sendRequest: async (request, next) => {
            const response = await next(request);
            onDate(response.headers.get("date"));
            return response;
          },
        },
      },
    ],
  };
  const made = new Map<TableName, TableClient>();
  return async (table) => {
    const sdk = await import("@azure/data-tables");
    const name = prefix + table;
    const client =
      made.get(table) ??
      (source.kind === "connectionString"
        ? sdk.TableClient.fromConnectionString(source.connectionString, name, {
            ...options,
            allowInsecureConnection: true,
          })
        : new sdk.TableClient(source.endpoint, name, source.credential, options));
    made.set(table, client);
    return client;
  };
};
