import { mkdtempSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { identityFinalizers } from "../../src/core/identityFinalizer.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { namesOf, writeLines } from "../support/e2e/azureLog.ts";
import { eventually } from "../support/e2e/eventually.ts";
import { aCluster, aNamespace, anAzureCluster, anIdentity, type Place } from "../support/e2e/manifests.ts";
import {
  apply,
  azureCluster,
  blockedBy,
  conditionOf,
  editSpec,
  find,
  gone,
  settled,
  startDeleting,
} from "../support/e2e/objects.ts";
import { useScene } from "../support/e2e/scene.ts";
import {
  bareBundle,
  bundlePassword,
  legacyBundle,
  modernBundle,
  rsaCertificate,
  rsaKey,
} from "../support/identity/certificates.ts";

const ownClientId = "00000000-0000-4000-8000-0000000000ca";
const clientId = "00000000-0000-4000-8000-00000000c11e";
const tenantId = "00000000-0000-4000-8000-0000000007e4";
const pem = `${rsaKey}\n${rsaCertificate}\n`;
const folder = mkdtempSync(join(tmpdir(), "capstan-identities-"));
afterAll(() => rm(folder, { recursive: true }));

/** What a secret holds: text, or bytes in Base64. */
interface Given {
  readonly text?: Readonly<Record<string, string>>;
  readonly bytes?: Readonly<Record<string, string>>;
}

const aSecret = ({ namespace, name }: Place, { text = {}, bytes = {} }: Given): JsonObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace, name },
  stringData: text,
  data: Object.fromEntries(Object.entries(bytes).map(([key, value]) => [key, value.replaceAll("\n", "")])),
});

const place = (name: string): Place => ({ namespace: `who-${name}`, name });
const everythingWith = (at: Place, identity: JsonObject, secret?: Given): readonly JsonObject[] => [
  aNamespace(at.namespace),
  ...(secret === undefined ? [] : [aSecret(at, secret)]),
  anIdentity(at, { clientSecret: { name: at.name, namespace: at.namespace }, ...identity }),
  aCluster(at),
  anAzureCluster(at),
];

describe("identities on the full local stack", () => {
  const scene = useScene({
    azure: { retryAfterSeconds: 1 },
    settings: { CAPSTAN_LOG_LEVEL: "debug", CAPSTAN_CREDENTIAL_FOLDER: folder, CAPSTAN_CLIENT_ID: ownClientId },
  });
  const finalizersOn = async (identity: Place): Promise<readonly string[] | undefined> =>
    (await find(scene(), "AzureClusterIdentity", identity))?.metadata.finalizers.toSorted();
  const finalizerOf = (cluster: Place): string => identityFinalizers({ kind: "AzureCluster", ...cluster })!.current;

  beforeAll(async () => {
    const msi = { client_id: clientId, tenant_id: tenantId, client_secret: bareBundle.replaceAll("\n", "") };
    await writeFile(join(folder, "cert.pem"), pem);
    await writeFile(join(folder, "msi.json"), JSON.stringify(msi));
  });

  describe.concurrent("of every type", () => {
    it.each<{ readonly name: string; readonly identity: JsonObject; readonly secret?: Given }>([
      { name: "workload", identity: { type: "WorkloadIdentity" } },
      { name: "managed", identity: { type: "UserAssignedMSI" } },
      { name: "principal", identity: { type: "ServicePrincipal" }, secret: { text: { clientSecret: "hush\n" } } },
      {
        name: "manual",
        identity: { type: "ManualServicePrincipal", clientSecret: { name: "manual", namespace: "" } },
        secret: { text: { clientSecret: "hush" } },
      },
      {
        name: "pem",
        identity: { type: "ServicePrincipalCertificate" },
        secret: { text: { clientSecret: pem } },
      },
      {
        name: "bundle",
        identity: { type: "ServicePrincipalCertificate" },
        secret: { bytes: { certificate: modernBundle }, text: { password: bundlePassword } },
      },
      {
        name: "file",
        identity: { type: "ServicePrincipalCertificate", certPath: "cert.pem" },
      },
      {
        name: "msifile",
        identity: {
          type: "UserAssignedIdentityCredential",
          userAssignedIdentityCredentialsPath: join(folder, "msi.json"),
          userAssignedIdentityCredentialsCloudType: "Public",
        },
      },
    ])("$name: make a cluster, and are kept by it", async ({ name, identity, secret }) => {
      const at = place(name);
      await apply(scene(), everythingWith(at, identity, secret));
      await settled(scene(), at);
      expect(await namesOf(scene(), `${at.namespace}-${at.name}`)).not.toEqual([]);
      expect(await finalizersOn(at)).toEqual([finalizerOf(at)]);
    });
  });

  describe.concurrent("that may not or cannot be used are told, before anything is made", () => {
    it.each<{
      readonly name: string;
      readonly identity: JsonObject;
      readonly secret?: Given;
      readonly reason: string;
      readonly says: string;
    }>([
      {
        name: "own",
        identity: { clientID: ownClientId },
        reason: "IdentityNotAllowed",
        says: "its client id is that of Capstan itself",
      },
      {
        name: "nobody",
        identity: { allowedNamespaces: null },
        reason: "NamespaceNotAllowedByIdentity",
        says: "spec.allowedNamespaces does not include who-nobody",
      },
      {
        name: "others",
        identity: { allowedNamespaces: { list: ["elsewhere"], selector: {} } },
        reason: "NamespaceNotAllowedByIdentity",
        says: "spec.allowedNamespaces does not include who-others",
      },
      {
        name: "outside",
        identity: { type: "ServicePrincipalCertificate", certPath: "/etc/hostname" },
        reason: "IdentityNotAllowed",
        says: "lies outside the folder",
      },
      {
        name: "nofile",
        identity: { type: "ServicePrincipalCertificate", certPath: "missing.pem" },
        reason: "CredentialFileUnreadable",
        says: "ENOENT",
      },
      {
        name: "nokey",
        identity: { type: "ServicePrincipal" },
        secret: { text: { clientsecret: "hush-hush" } },
        reason: "IdentitySecretNotFound",
        says: "must exist and have the key clientSecret",
      },
      {
        name: "wrongpass",
        identity: { type: "ServicePrincipalCertificate" },
        secret: { bytes: { certificate: legacyBundle }, text: { password: "hush-hush" } },
        reason: "CredentialUnusable",
        says: "does not open with the password",
      },
    ])("$name: $reason", async ({ name, identity, secret, reason, says }) => {
      const at = place(name);
      await apply(scene(), everythingWith(at, identity, secret));
      const condition = await blockedBy(scene(), at, reason);
      expect(condition["message"]).toContain(says);
      expect(JSON.stringify(await azureCluster(scene(), at))).not.toContain("hush");
      expect(await writeLines(scene(), `${at.namespace}-${at.name}`)).toEqual([]);
      expect(await finalizersOn(at)).toEqual([]);
    });

    it("a cloud that does not exist: by the API server", async () => {
      const at = place("german");
      await apply(scene(), [aNamespace(at.namespace)]);
      const german = anAzureCluster(at, { azureEnvironment: "AzureGermanCloud" });
      await expect(apply(scene(), [german])).rejects.toThrow(
        "must be AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud",
      );
    });
  });

  describe.concurrent("over their time", () => {
    it("cannot go while clusters use them, and go with the last one", async () => {
      const one = place("shared");
      const two = { ...one, name: "second" };
      const identityRef = { kind: "AzureClusterIdentity", name: one.name, namespace: one.namespace };
      await apply(scene(), [...everythingWith(one, {}), aCluster(two), anAzureCluster(two, { identityRef })]);
      await settled(scene(), one);
      await settled(scene(), two);
      expect(await finalizersOn(one)).toEqual([finalizerOf(one), finalizerOf(two)].toSorted());
      await startDeleting(scene(), "AzureClusterIdentity", one);
      for (const cluster of [one, two]) {
        expect(await finalizersOn(one)).toContain(finalizerOf(cluster));
        await startDeleting(scene(), "Cluster", cluster);
        await gone(scene(), "AzureCluster", cluster);
        await eventually(
          "its finalizer is off",
          async () => !(await finalizersOn(one))?.includes(finalizerOf(cluster)),
        );
      }
      await gone(scene(), "AzureClusterIdentity", one);
      expect(await namesOf(scene(), `${one.namespace}-${one.name}`)).toEqual([]);
    });

    it("are let go when a cluster names another one", async () => {
      const at = place("changed");
      const other = { ...at, name: "later" };
      await apply(scene(), [...everythingWith(at, {}), anIdentity(other)]);
      await settled(scene(), at);
      await editSpec(scene(), at, { identityRef: { name: other.name } });
      await eventually("the finalizer has moved", async () => (await finalizersOn(at))?.length === 0);
      expect(await finalizersOn(other)).toEqual([finalizerOf(at)]);
      await settled(scene(), at);
    });

    it("heal when their secret is renewed", async () => {
      const at = place("renewed");
      const wrong = { bytes: { certificate: modernBundle }, text: { password: "hush-hush" } };
      await apply(scene(), everythingWith(at, { type: "ServicePrincipalCertificate" }, wrong));
      await blockedBy(scene(), at, "CredentialUnusable");
      await apply(scene(), [aSecret(at, { ...wrong, text: { password: bundlePassword } })]);
      await settled(scene(), at);
    });

    it("that a namespace may no longer use still delete what was made with them", async () => {
      const at = place("revoked");
      await apply(scene(), everythingWith(at, {}));
      await settled(scene(), at);
      await apply(scene(), [anIdentity(at, { allowedNamespaces: { list: ["elsewhere"] } })]);
      await blockedBy(scene(), at, "NamespaceNotAllowedByIdentity");
      await startDeleting(scene(), "Cluster", at);
      await gone(scene(), "AzureCluster", at);
      expect(await namesOf(scene(), `${at.namespace}-${at.name}`)).toEqual([]);
      await eventually("the finalizer is off", async () => (await finalizersOn(at))?.length === 0);
    });

    it("are made sure of only by what does not go away itself", async () => {
      const at = place("going");
      await apply(scene(), [aNamespace(at.namespace), anIdentity(at)]);
      await scene().stack.kubectl([
        "patch",
        "-n",
        at.namespace,
        "azureclusteridentity",
        at.name,
        "--type=merge",
        "-p",
        JSON.stringify({ metadata: { finalizers: ["somebody.example/else"] } }),
      ]);
      await startDeleting(scene(), "AzureClusterIdentity", at);
      await apply(scene(), [aCluster(at), anAzureCluster(at)]);
      const condition = await blockedBy(scene(), at, "IdentityDeleting");
      expect(condition["message"]).toContain("nothing new is made with it");
      expect(conditionOf(await azureCluster(scene(), at), "SpecValid")).toMatchObject({ status: "True" });
    });
  });
});
