import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newAuthority, newKeyPair, serverCertificate } from "./certificates.ts";

/** What the API server and its clients know each other by. */
export interface Credentials {
  /** Certificate of the authority that signed the server certificate. */
  readonly caPem: string;
  /** Bearer token of a user in the group `system:masters`. */
  readonly token: string;
  readonly files: CredentialFiles;
}

export interface CredentialFiles {
  readonly ca: string;
  /** Folder with `tls.crt` and `tls.key`, valid for 127.0.0.1: the form in which webhook servers want them. */
  readonly serverFolder: string;
  readonly serverCertificate: string;
  readonly serverKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly tokens: string;
}

const filesIn = (folder: string): CredentialFiles => ({
  ca: join(folder, "ca.crt"),
  serverFolder: join(folder, "server"),
  serverCertificate: join(folder, "server", "tls.crt"),
  serverKey: join(folder, "server", "tls.key"),
  serviceAccountKey: join(folder, "service-accounts.key"),
  serviceAccountPublicKey: join(folder, "service-accounts.pub"),
  tokens: join(folder, "tokens.csv"),
});

/** The names under which the API server and webhooks are reached from this machine. */
const hosts = ["127.0.0.1", "localhost", "kubernetes.default.svc"] as const;

/** The key of the authority is not among the files: nothing is signed after the start. */
const contents = (files: CredentialFiles): ReadonlyMap<string, string> => {
  const now = new Date();
  const authority = newAuthority("capstan local control plane", now);
  const server = newKeyPair();
  const serviceAccounts = newKeyPair();
  return new Map([
    [files.ca, authority.pem],
    [files.serverCertificate, serverCertificate(authority, server, hosts, now)],
    [files.serverKey, server.privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    [files.serviceAccountKey, serviceAccounts.privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    [files.serviceAccountPublicKey, serviceAccounts.publicKey.export({ type: "spki", format: "pem" }).toString()],
    [files.tokens, `${randomBytes(24).toString("base64url")},admin,admin,"system:masters"\n`],
  ]);
};

const create = async (folder: string): Promise<void> => {
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  const files = filesIn(partial);
  await mkdir(files.serverFolder, { recursive: true, mode: 0o700 });
  for (const [file, text] of contents(files)) await writeFile(file, text, { mode: 0o600 });
  await rename(partial, folder);
};

/** The credentials kept in a folder; new ones when there is no such folder yet. */
export const credentialsIn = async (folder: string): Promise<Credentials> => {
  if (!existsSync(folder)) await create(folder);
  const files = filesIn(folder);
  const [caPem, tokens] = await Promise.all([readFile(files.ca, "utf8"), readFile(files.tokens, "utf8")]);
  return { caPem, token: tokens.split(",")[0]!, files };
};
