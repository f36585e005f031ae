import { createHash, createPublicKey, verify, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { armToken } from "../../src/adapters/armToken.ts";
import { clouds } from "../../src/adapters/clouds.ts";
import { createCredentials } from "../../src/adapters/credentials.ts";
import type { CloudName, CredentialSpec } from "../../src/core/identity.ts";
import {
  bundlePassword,
  legacyBundle,
  modernBundle,
  otherCertificate,
  rsaCertificate,
  rsaKey,
} from "../support/identity/certificates.ts";
import { startTokenServers, type TokenRequest, type TokenServers } from "../support/identity/tokenServers.ts";

const client = "11111111-aaaa-4aaa-8aaa-111111111111";
const tenant = "22222222-bbbb-4bbb-8bbb-222222222222";
const own = "99999999-cccc-4ccc-8ccc-999999999999";
const base = { tenantId: tenant, clientId: client, identity: "ids/one", usedBy: "team" } as const;
const pem = `${otherCertificate}\n${rsaKey}\n${rsaCertificate}`;

let servers: TokenServers;
let folder: string;
beforeAll(async () => {
  servers = await startTokenServers();
  folder = await mkdtemp(join(tmpdir(), "credential-requests-"));
});
afterAll(async () => {
  await servers?.close();
  await rm(folder, { recursive: true });
});
const usual = { answer: undefined as TokenServers["answer"] | undefined };
beforeEach(() => {
  usual.answer ??= servers.answer;
  servers.answer = usual.answer;
  servers.requests.length = 0;
});
afterEach(() => vi.unstubAllEnvs());

/** The host platform of a function app. */
const onAppService = (): void => {
  vi.stubEnv("IDENTITY_ENDPOINT", "http://127.0.0.1:41/msi/token");
  vi.stubEnv("IDENTITY_HEADER", "host-header");
};

type Options = Parameters<typeof createCredentials>[0];
const ask = async (spec: CredentialSpec, options: Options = {}) => {
  const credentials = createCredentials({ transport: servers.transport, credentialFolder: folder, ...options });
  const found = await credentials.get(spec);
  if (!found.ok) throw new Error(found.error.message);
  return armToken(found.value.credential, clouds[spec.cloud].tokenScope);
};
/** The token, and the requests that it took. */
const tokenOf = async (spec: CredentialSpec, options?: Options): Promise<string> => {
  const token = await (await ask(spec, options)).get(AbortSignal.timeout(20_000));
  if (!token.ok) throw new Error(token.error.message);
  return token.value;
};
const failureOf = async (spec: CredentialSpec, options?: Options) => {
  const token = await (await ask(spec, options)).get(AbortSignal.timeout(20_000));
  if (token.ok) throw new Error("there is a token");
  return token.error;
};

const places: readonly {
  readonly cloud: CloudName;
  readonly authority: string;
  readonly resource: string;
  readonly exchange: string;
}[] = [
  {
    cloud: "AzurePublicCloud",
    authority: "https://login.microsoftonline.com",
    resource: "https://management.core.windows.net/",
    exchange: "api://AzureADTokenExchange",
  },
  {
    cloud: "AzureUSGovernmentCloud",
    authority: "https://login.microsoftonline.us",
    resource: "https://management.core.usgovcloudapi.net/",
    exchange: "api://AzureADTokenExchangeUSGov",
  },
  {
    cloud: "AzureChinaCloud",
    // Where Microsoft's own metadata of that cloud has tokens come from; login.chinacloudapi.cn is its other name.
    authority: "https://login.partner.microsoftonline.cn",
    resource: "https://management.core.chinacloudapi.cn/",
    exchange: "api://AzureADTokenExchangeChina",
  },
];

const partOf = (jwt: string | undefined, at: number): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(jwt?.split(".")[at] ?? "", "base64url").toString("utf8")) as Record<string, unknown>;

const jwtBearer = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const sha256 = createHash("sha256").update(new X509Certificate(rsaCertificate).raw).digest("base64url");

/** Signed by the certificate's key, for this very endpoint, in the name of the client. */
const expectSigned = ({ form, url }: TokenRequest): void => {
  const jwt = form["client_assertion"];
  expect(partOf(jwt, 0)).toMatchObject({ typ: "JWT", "x5t#S256": sha256 });
  const { exp, nbf, ...claims } = partOf(jwt, 1);
  expect(claims).toMatchObject({ aud: url, iss: client, sub: client });
  expect(Number(exp) - Number(nbf)).toBeGreaterThan(60);
  const [head, body, signature = ""] = jwt?.split(".") ?? [];
  const key = createPublicKey(rsaCertificate);
  // RSASSA-PSS, as `alg` PS256 says.
  expect(partOf(jwt, 0)["alg"]).toBe("PS256");
  const padding = { key, padding: 6, saltLength: 32 };
  expect(verify("sha256", Buffer.from(`${head}.${body}`), padding, Buffer.from(signature, "base64url"))).toBe(true);
};

describe.each(places)("in $cloud", ({ cloud, authority, resource, exchange }) => {
  const spec = { ...base, cloud };
  const endpoint = `${authority}/${tenant}/oauth2/v2.0/token`;
  const grant = { grant_type: "client_credentials", client_id: client, scope: `${resource}/.default` };
  /** One request and no other: nobody is asked whether the authority is one. */
  const theRequest = (): TokenRequest => {
    expect(servers.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([`POST ${endpoint}`]);
    return servers.requests[0]!;
  };

  it("a service principal proves itself by its secret", async () => {
    expect(await tokenOf({ ...spec, kind: "clientSecret", clientSecret: "hush" })).toBe("token-1");
    expect(theRequest().form).toMatchObject({ ...grant, client_secret: "hush" });
  });

  it.each([
    { form: "PEM", certificate: pem },
    { form: "PKCS #12", certificate: modernBundle, password: bundlePassword },
    { form: "PKCS #12 of old", certificate: legacyBundle, password: bundlePassword },
  ])("a service principal signs with its certificate, given as $form", async ({ certificate, password }) => {
    const secret = { certificate, ...(password !== undefined && { password }) };
    expect(await tokenOf({ ...spec, kind: "certificate", ...secret })).toBe("token-1");
    expect(theRequest().form).toMatchObject({ ...grant, client_assertion_type: jwtBearer });
    expectSigned(theRequest());
  });

  it("a certificate may come from a file, with the identity of the object", async () => {
    await writeFile(join(folder, "cert.pem"), pem);
    await tokenOf({ ...spec, kind: "certificateFile", path: "cert.pem" });
    expect(theRequest().form).toMatchObject(grant);
    expectSigned(theRequest());
  });

  it("a user-assigned identity's file says who it is, and nothing of where tokens come from", async () => {
    const content = {
      client_id: client,
      tenant_id: tenant,
      client_secret: Buffer.from(pem).toString("base64"),
      authentication_endpoint: "https://elsewhere.example/",
    };
    await writeFile(join(folder, "msi.json"), JSON.stringify(content));
    await tokenOf({ ...spec, clientId: "", tenantId: "", kind: "userAssignedIdentityFile", path: "msi.json" });
    expect(theRequest().form).toMatchObject(grant);
    expectSigned(theRequest());
  });

  it("a workload identity is vouched for by the service account's token, as it is now", async () => {
    const federatedTokenFile = join(folder, "token");
    await writeFile(federatedTokenFile, "first.service.account\n");
    const token = await ask({ ...spec, kind: "workloadIdentity" }, { federatedTokenFile });
    expect(await token.get(AbortSignal.timeout(20_000))).toEqual({ ok: true, value: "token-1" });
    expect(theRequest().form).toMatchObject({
      ...grant,
      client_assertion_type: jwtBearer,
      client_assertion: "first.service.account",
    });
  });

  it("a workload identity is vouched for by the function app's own managed identity", async () => {
    onAppService();
    await tokenOf({ ...spec, kind: "workloadIdentity" }, { ownClientId: own });
    const asking = servers.requests.at(-1);
    const vouching = servers.requests.slice(0, -1);
    expect(vouching).not.toEqual([]);
    for (const one of vouching) {
      expect(one).toMatchObject({ method: "GET", url: "http://127.0.0.1:41/msi/token" });
      expect(one.query).toMatchObject({ resource: exchange, client_id: own });
      expect(one.headers).toMatchObject({ "x-identity-header": "host-header" });
    }
    expect(asking).toMatchObject({ method: "POST", url: endpoint });
    expect(asking?.form).toMatchObject({ ...grant, client_assertion_type: jwtBearer });
    expect(asking?.form["client_assertion"]).toMatch(/^token-[12]$/);
  });

  it("a managed identity is asked for at the function app's endpoint", async () => {
    onAppService();
    expect(await tokenOf({ ...spec, kind: "managedIdentity" })).toBe("token-1");
    const [request, ...others] = servers.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({ method: "GET", url: "http://127.0.0.1:41/msi/token" });
    expect(request?.query).toMatchObject({ resource, client_id: client });
  });
});

describe("a token", () => {
  const workload: CredentialSpec = { ...base, cloud: "AzurePublicCloud", kind: "workloadIdentity" };
  it("is asked for with the new service account's token as soon as that was renewed", async () => {
    const federatedTokenFile = join(folder, "renewed");
    await writeFile(federatedTokenFile, "old.service.account");
    servers.answer = (_, count) => ({ body: { token_type: "Bearer", expires_in: 1, access_token: `token-${count}` } });
    const token = await ask(workload, { federatedTokenFile });
    await token.get(AbortSignal.timeout(20_000));
    await writeFile(federatedTokenFile, "new.service.account");
    await token.get(AbortSignal.timeout(20_000));
    expect(servers.requests.map(({ form }) => form["client_assertion"])).toEqual([
      "old.service.account",
      "new.service.account",
    ]);
  });

  it("is kept: many who need it make one request", async () => {
    const token = await ask({ ...base, cloud: "AzurePublicCloud", kind: "clientSecret", clientSecret: "hush" });
    const all = await Promise.all(Array.from({ length: 20 }, () => token.get(AbortSignal.timeout(20_000))));
    expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(servers.requests).toHaveLength(1);
  });

  it("is not there without the service account's token file", async () => {
    const failure = await failureOf(workload, { federatedTokenFile: join(folder, "missing") });
    expect(failure).toMatchObject({ kind: "auth", code: "TokenUnavailable" });
    expect(servers.requests).toEqual([]);
  });
});

// As Entra ID words them, with what must not come out.
const refusals: readonly { readonly words: string; readonly code: string; readonly says?: readonly string[] }[] = [
  {
    words:
      "AADSTS70021: No matching federated identity record found for presented assertion. Assertion Issuer: 'https://oidc.example/c1/'. Assertion Subject: 'system:serviceaccount:capstan-system:capstan'. Assertion Audience: 'api://AzureADTokenExchange'.",
    code: "AADSTS70021",
    says: [
      'issuer "https://oidc.example/c1/"',
      'subject "system:serviceaccount:capstan-system:capstan"',
      'audience "api://AzureADTokenExchange"',
    ],
  },
  {
    words:
      "AADSTS700213: No matching federated identity record found for presented assertion subject 'system:serviceaccount:a:b'. Check your federated identity credential Subject, Audience and Issuer against the presented assertion.",
    code: "AADSTS700213",
    says: ['subject "system:serviceaccount:a:b"'],
  },
  {
    words: "AADSTS700016: Application with identifier 'x' was not found in the directory 'y'.",
    code: "AADSTS700016",
  },
  { words: "AADSTS7000215: Invalid client secret provided. hush", code: "AADSTS7000215" },
  { words: "AADSTS7000222: The provided client secret keys for app 'x' are expired. hush", code: "AADSTS7000222" },
];

describe("a refusal", () => {
  const secret: CredentialSpec = { ...base, cloud: "AzurePublicCloud", kind: "clientSecret", clientSecret: "hush" };

  it.each(refusals)("$code is told with what to compare, once asked, and with no secret", async (refusal) => {
    servers.answer = () => ({
      status: 401,
      body: {
        error: "invalid_client",
        error_description: `${refusal.words} Trace ID: t Correlation ID: c Timestamp: 2026-01-01 00:00:00Z`,
        error_codes: [Number(refusal.code.slice("AADSTS".length))],
      },
    });
    const failure = await failureOf(secret);
    expect(failure).toMatchObject({ kind: "auth", code: refusal.code, status: 401 });
    for (const words of refusal.says ?? []) expect(failure.message).toContain(words);
    expect(JSON.stringify(failure)).not.toContain("hush");
    expect(servers.requests).toHaveLength(1);
  });

  it("that will not last is none of the identity", async () => {
    servers.answer = () => ({
      status: 400,
      body: { error: "temporarily_unavailable", error_description: "AADSTS90033: A transient error has occurred." },
    });
    expect(await failureOf(secret)).toMatchObject({ kind: "transient", code: "AADSTS90033", status: 503 });
  });

  it.each([
    { statusCode: 400, message: "No User Assigned or Delegated Managed Identity found for specified ClientId." },
    { error: "invalid_request", error_description: "Identity not found" },
  ])("of the host that has no such managed identity says so: %j", async (body) => {
    onAppService();
    servers.answer = () => ({ status: 400, body });
    expect(await failureOf({ ...base, cloud: "AzurePublicCloud", kind: "managedIdentity" })).toMatchObject({
      kind: "auth",
      code: "TokenUnavailable",
      message: expect.stringContaining("not assigned to the host"),
    });
  });
});
