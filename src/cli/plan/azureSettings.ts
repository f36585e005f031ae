import { type Config, readConfig } from "../../config.ts";
import type { Env } from "../operate/settings.ts";
import { UserError } from "../userError.ts";

/** What the function app's settings say of Azure. */
export type AzureSettings = Pick<
  Config,
  "subscriptionId" | "watchFilter" | "allowedIdentities" | "credentialFolder" | "federatedTokenFile" | "development"
>;

/** Stand in for settings that have nothing to do with reading Azure, so that they need not be set. */
const unused: Readonly<Record<string, string>> = {
  ServiceBusConnection__fullyQualifiedNamespace: "unused.invalid",
  ServiceBusConnection: "",
  CAPSTAN_TABLES_ENDPOINT: "https://unused.invalid",
  CAPSTAN_TABLES_CONNECTION: "",
  CAPSTAN_CLUSTERS: '[{"uid":"unused","inCluster":true}]',
  CAPSTAN_CLIENT_ID: "00000000-0000-0000-0000-000000000000",
};

const usage = 2;

/** Settings of the function app as far as they matter to reading Azure, checked as the app checks them. */
export const azureSettings = (env: Env): AzureSettings => {
  const read = readConfig({ ...env, ...unused });
  if (!read.ok) throw new UserError(`settings cannot be used: ${read.error.join("; ")}`, usage);
  const { subscriptionId, watchFilter, allowedIdentities, credentialFolder, federatedTokenFile, development } =
    read.value;
  return {
    ...(subscriptionId !== undefined && { subscriptionId }),
    ...(watchFilter !== undefined && { watchFilter }),
    ...(allowedIdentities !== undefined && { allowedIdentities }),
    ...(credentialFolder !== undefined && { credentialFolder }),
    ...(federatedTokenFile !== undefined && { federatedTokenFile }),
    ...(development !== undefined && { development }),
  };
};
