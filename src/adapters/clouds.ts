import type { CloudName } from "../core/identity.ts";

/** Where one of Azure's clouds lives. */
export interface Cloud {
  /** Of Entra ID, where tokens come from. */
  readonly authority: string;
  /** Of Resource Manager. Its subdomains are regional endpoints. */
  readonly managementHost: string;
  readonly tokenScope: string;
}

/** As the Azure clients know them: https://learn.microsoft.com/azure/developer/identity/authentication-clouds */
export const clouds: Readonly<Record<CloudName, Cloud>> = {
  AzurePublicCloud: {
    authority: "https://login.microsoftonline.com",
    managementHost: "management.azure.com",
    tokenScope: "https://management.core.windows.net//.default",
  },
  AzureUSGovernmentCloud: {
    authority: "https://login.microsoftonline.us",
    managementHost: "management.usgovcloudapi.net",
    tokenScope: "https://management.core.usgovcloudapi.net//.default",
  },
  AzureChinaCloud: {
    authority: "https://login.chinacloudapi.cn",
    managementHost: "management.chinacloudapi.cn",
    tokenScope: "https://management.core.chinacloudapi.cn//.default",
  },
};
