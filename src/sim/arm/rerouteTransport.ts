import { createDefaultHttpClient, type HttpClient } from "@azure/core-rest-pipeline";

/** Hosts of Resource Manager in all clouds; regional hosts stand before a dot. */
const managementHosts = /(^|\.)management\.(azure\.com|usgovcloudapi\.net|chinacloudapi\.cn|microsoftazure\.de)$/i;

/**
 * A transport that sends requests for Azure Resource Manager to a simulator instead. URLs, token checks and operation
 * links above it stay as in production: the request that the pipeline holds is not touched. Other hosts are refused, so
 * that nothing of a test leaves the machine.
 */
export const rerouteTransport = (baseUrl: string): HttpClient => {
  const inner = createDefaultHttpClient();
  const base = baseUrl.replace(/\/+$/, "");
  return {
    sendRequest: async (request) => {
      const url = new URL(request.url);
      if (!managementHosts.test(url.hostname))
        throw new Error(`${url.hostname} is not a host of Azure Resource Manager`);
      const target = `${base}${url.pathname}${url.search}`;
      const response = await inner.sendRequest({ ...request, url: target, allowInsecureConnection: true });
      return { ...response, request };
    },
  };
};
