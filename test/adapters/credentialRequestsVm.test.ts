import { afterAll, beforeAll, expect, it } from "vitest";
import { clouds } from "../../src/adapters/clouds.ts";
import { createCredentials } from "../../src/adapters/credentials.ts";
import type { CloudName } from "../../src/core/identity.ts";
import { startTokenServers, type TokenServers } from "../support/identity/tokenServers.ts";

const clientId = "11111111-aaaa-4aaa-8aaa-111111111111";

let servers: TokenServers;
beforeAll(async () => {
  servers = await startTokenServers();
});
afterAll(() => servers?.close());

// A file of its own: a process finds out only once what it runs on.
it.each<{ readonly cloud: CloudName; readonly resource: string }>([
  { cloud: "AzurePublicCloud", resource: "https://management.core.windows.net/" },
  { cloud: "AzureUSGovernmentCloud", resource: "https://management.core.usgovcloudapi.net/" },
  { cloud: "AzureChinaCloud", resource: "https://management.core.chinacloudapi.cn/" },
])("in $cloud a managed identity is asked for at a virtual machine's endpoint", async ({ cloud, resource }) => {
  const credentials = createCredentials({ transport: servers.transport });
  const spec = {
    kind: "managedIdentity",
    cloud,
    clientId,
    tenantId: "t",
    identity: "ids/one",
    usedBy: "team",
  } as const;
  const found = await credentials.get(spec);
  if (!found.ok) throw new Error(found.error.message);
  expect(await found.value.credential.getToken(clouds[cloud].tokenScope)).toMatchObject({
    token: expect.stringMatching(/^token-/),
  });
  const request = servers.requests.at(-1);
  expect(request).toMatchObject({ method: "GET", url: "http://169.254.169.254/metadata/identity/oauth2/token" });
  expect(request?.query).toMatchObject({ resource, client_id: clientId });
  expect(request?.headers).toMatchObject({ metadata: "true" });
});
