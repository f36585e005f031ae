import type { CloudName } from "../core/identity.ts";
import { given } from "./given.ts";

/**
 * Domain under which public IP addresses get names, by cloud
 * (https://learn.microsoft.com/azure/azure-government/compare-azure-government-global-azure).
 */
const dnsSuffixes: Readonly<Record<CloudName, string>> = Object.freeze({
  AzurePublicCloud: "cloudapp.azure.com",
  AzureUSGovernmentCloud: "cloudapp.usgovcloudapi.net",
  AzureChinaCloud: "cloudapp.chinacloudapi.cn",
});

export const dnsSuffixOf = (cloud: CloudName): string => dnsSuffixes[cloud];

/** Clouds by name; the German one was closed in 2021. */
export const cloudNames: readonly CloudName[] = ["AzurePublicCloud", "AzureUSGovernmentCloud", "AzureChinaCloud"];

/** The cloud of `spec.azureEnvironment`, public when it says nothing; undefined for any that does not exist. */
export const cloudOf = (environment: string | undefined): CloudName | undefined =>
  given(environment) === undefined ? "AzurePublicCloud" : cloudNames.find((name) => name === environment);

/** The cloud of `userAssignedIdentityCredentialsCloudType`, whatever its case; public for any that is not known. */
export const cloudOfType = (cloudType: string): CloudName =>
  new Map<string, CloudName>([
    ["china", "AzureChinaCloud"],
    ["usgovernment", "AzureUSGovernmentCloud"],
  ]).get(cloudType.trim().toLowerCase()) ?? "AzurePublicCloud";
