import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { azure } from "../../src/adapters/azure.ts";
import { type CredentialOptions, createCredentials } from "../../src/adapters/credentials.ts";
import type { CredentialSpec } from "../../src/core/identity.ts";
import { bareBundle, otherCertificate, rsaCertificate, rsaKey } from "../support/identity/certificates.ts";

const client = "11111111-aaaa-4aaa-8aaa-111111111111";
const tenant = "22222222-bbbb-4bbb-8bbb-222222222222";
const base = {
  cloud: "AzurePublicCloud",
  tenantId: tenant,
  clientId: client,
  identity: "ids/one",
  usedBy: "team",
} as const;
const secretSpec: CredentialSpec = { ...base, kind: "clientSecret", clientSecret: "hunter2" };
const pem = `${rsaKey}\n${rsaCertificate}\n`;

let root: string;
let folder: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "credentials-"));
  folder = join(root, "allowed");
  await mkdir(folder);
});
afterEach(() => rm(root, { recursive: true }));

const get = (spec: CredentialSpec, options: CredentialOptions = {}) => createCredentials(options).get(spec);
const refused = { ok: false, error: { kind: "auth", code: "IdentityNotAllowed" } };

describe("identities that are refused", () => {
  it("Capstan's own, in any case and of any kind", async () => {
    const options = { ownClientId: client.toUpperCase() };
    expect(await get(secretSpec, options)).toMatchObject(refused);
    expect(await get({ ...base, kind: "managedIdentity" }, options)).toMatchObject(refused);
    expect(await get({ ...base, kind: "workloadIdentity" }, options)).toMatchObject(refused);
  });
  it("one without a client id, which would be that of the process", async () => {
    expect(await get({ ...base, kind: "managedIdentity", clientId: " " })).toMatchObject(refused);
  });
  it.each([
    { when: "another namespace's", allowed: { other: [{ clientId: client, tenantId: tenant }] } },
    { when: "another tenant's", allowed: { team: [{ clientId: client, tenantId: client }] } },
    { when: "another client's", allowed: { team: [{ clientId: tenant, tenantId: tenant }] } },
    { when: "nobody's", allowed: {} },
  ])("$when, when pairs are listed", async ({ allowed }) => {
    expect(await get(secretSpec, { allowedIdentities: allowed })).toMatchObject(refused);
  });
  it("but not a listed pair, in any case", async () => {
    const pair = { clientId: client.toUpperCase(), tenantId: tenant.toUpperCase() };
    expect(await get(secretSpec, { allowedIdentities: { team: [pair] } })).toMatchObject({ ok: true });
  });
  it("even when every token is a static one", async () => {
    expect(await get(secretSpec, { ownClientId: client, staticTokens: true })).toMatchObject(refused);
  });
  it("before any connection to Azure is made", async () => {
    const port = azure({
      credentials: createCredentials({ ownClientId: client }),
      userAgent: "capstan/test",
      log: () => undefined,
    });
    expect(await port.connect(secretSpec)).toMatchObject(refused);
  });
});

describe("credential files", () => {
  const fileSpec = (path: string): CredentialSpec => ({ ...base, kind: "certificateFile", path });

  it("are read from the one folder, by relative and absolute path", async () => {
    await writeFile(join(folder, "cert.pem"), pem);
    const options = { credentialFolder: folder };
    expect(await get(fileSpec("cert.pem"), options)).toMatchObject({ ok: true });
    expect(await get(fileSpec(join(folder, "cert.pem")), options)).toMatchObject({ ok: true });
  });
  it("are not read when no folder is set", async () => {
    await writeFile(join(folder, "cert.pem"), pem);
    expect(await get(fileSpec(join(folder, "cert.pem")))).toMatchObject(refused);
  });
  it("are refused outside, whether they exist or not", async () => {
    await writeFile(join(root, "outside.pem"), pem);
    await mkdir(join(root, "allowed-not"));
    await writeFile(join(root, "allowed-not", "cert.pem"), pem);
    for (const path of [
      "../outside.pem",
      join(root, "outside.pem"),
      join(root, "missing"),
      "../allowed-not/cert.pem",
      folder,
    ])
      expect(await get(fileSpec(path), { credentialFolder: folder })).toMatchObject(refused);
  });
  it("are refused when a link leads outside", async () => {
    await writeFile(join(root, "outside.pem"), pem);
    await symlink(join(root, "outside.pem"), join(folder, "link.pem"));
    await symlink(root, join(folder, "up"));
    for (const path of ["link.pem", "up/outside.pem"])
      expect(await get(fileSpec(path), { credentialFolder: folder })).toMatchObject(refused);
  });
  it("may be reached through a folder that is a link itself", async () => {
    await writeFile(join(folder, "cert.pem"), pem);
    await symlink(folder, join(root, "alias"));
    expect(await get(fileSpec("cert.pem"), { credentialFolder: join(root, "alias") })).toMatchObject({ ok: true });
  });
  it("never show in a failure", async () => {
    await writeFile(join(folder, "odd.json"), '{"client_secret":"hunter2"}');
    const options = { credentialFolder: folder };
    const answers = [
      await get(fileSpec("odd.json"), options),
      await get({ ...base, kind: "userAssignedIdentityFile", path: "odd.json" }, options),
    ];
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: "CredentialUnusable" } });
    expect(JSON.stringify(answers)).not.toContain("hunter2");
    expect(await get(fileSpec("missing.pem"), options)).toMatchObject({ error: { code: "CredentialFileUnreadable" } });
  });
  it("of managed identities are held to the rules by what they say, not by what the object says", async () => {
    const content = { client_id: client, tenant_id: tenant, client_secret: Buffer.from(pem).toString("base64") };
    await writeFile(join(folder, "msi.json"), JSON.stringify(content));
    const spec: CredentialSpec = { ...base, clientId: "", kind: "userAssignedIdentityFile", path: "msi.json" };
    expect(await get(spec, { credentialFolder: folder })).toMatchObject({ ok: true });
    const disguised = { ...spec, clientId: "33333333-cccc-4ccc-8ccc-333333333333" };
    expect(await get(disguised, { credentialFolder: folder, ownClientId: client })).toMatchObject(refused);
  });
});

describe("a credential file that changes", () => {
  const msi = (certificate: string): string =>
    JSON.stringify({ client_id: client, tenant_id: tenant, client_secret: certificate });
  const spec: CredentialSpec = { ...base, kind: "userAssignedIdentityFile", path: "msi.json" };
  const inBase64 = (text: string): string => Buffer.from(text).toString("base64");

  it("is read again each time: another content is another credential, the same is the same", async () => {
    const credentials = createCredentials({ credentialFolder: folder });
    const keyOf = async (content: string) => {
      await writeFile(join(folder, "msi.json"), content);
      const answer = await credentials.get(spec);
      return answer.ok ? answer.value.key : answer.error.code;
    };
    const first = await keyOf(msi(inBase64(pem)));
    expect(await keyOf(msi(inBase64(pem)))).toBe(first);
    const second = await keyOf(msi(bareBundle.replaceAll("\n", "")));
    expect(second).toMatch(/^[0-9a-f]{64}$/);
    expect(second).not.toBe(first);
    expect(await keyOf(msi(inBase64(`${rsaKey}\n${otherCertificate}`)))).toBe("CredentialUnusable");
    expect(await keyOf(msi(inBase64(pem)))).toBe(first);
  });
  it("may be a bundle itself, in bytes", async () => {
    await writeFile(join(folder, "bundle.pfx"), Buffer.from(bareBundle, "base64"));
    const file: CredentialSpec = { ...base, kind: "certificateFile", path: "bundle.pfx" };
    expect(await get(file, { credentialFolder: folder })).toMatchObject({ ok: true });
  });
});

describe("credentials", () => {
  it("are one for each identity and secret", async () => {
    const credentials = createCredentials({});
    const key = async (spec: CredentialSpec): Promise<string> => {
      const answer = await credentials.get(spec);
      if (!answer.ok) throw new Error(answer.error.message);
      return answer.value.key;
    };
    const first = await key(secretSpec);
    expect(await key({ ...secretSpec, identity: "ids/other", usedBy: "elsewhere" })).toBe(first);
    const others = [
      await key({ ...secretSpec, clientSecret: "rotated" }),
      await key({ ...secretSpec, tenantId: client }),
      await key({ ...secretSpec, cloud: "AzureChinaCloud" }),
      await key({ ...base, kind: "managedIdentity" }),
      await key({ ...base, kind: "workloadIdentity" }),
    ];
    expect(new Set([first, ...others]).size).toBe(6);
    expect(first).not.toContain("hunter2");
  });

  it("are refused in a form that cannot work, without showing the secret", async () => {
    const answer = await get({ ...secretSpec, tenantId: "no tenant/../x" });
    expect(answer).toMatchObject({ ok: false, error: { kind: "auth", code: "CredentialUnusable" } });
    const bundle = await get({ ...base, kind: "certificate", certificate: "\u0000pkcs12-hunter2" });
    expect(bundle).toMatchObject({ ok: false, error: { code: "CredentialUnusable" } });
    expect(JSON.stringify([answer, bundle])).not.toContain("hunter2");
  });

  it("give the client id as token when tokens are static", async () => {
    const answer = await get(secretSpec, { staticTokens: true });
    if (!answer.ok) throw new Error(answer.error.message);
    expect(await answer.value.credential.getToken("scope")).toMatchObject({ token: client });
  });
});
