import { describe, expect, it } from "vitest";
import { identityFinalizers } from "../../src/core/identityFinalizer.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { anAzureCluster, anIdentity, anObject, inputOf } from "./aCluster.ts";

const credentialOf = (identity: JsonObject, secret?: Readonly<Record<string, string>>, spec: JsonObject = {}) =>
  azureCluster.read(inputOf(anAzureCluster(spec), { identity: anIdentity(identity) })).credential(secret);

const shared = {
  cloud: "AzurePublicCloud",
  tenantId: "tenant",
  clientId: "client",
  identity: "default/sp",
  usedBy: "default",
};

// Fact sheet 9.1, with item 30 of section 12.
describe("credential by type of identity", () => {
  it.each([
    { identity: { type: "WorkloadIdentity" }, secret: undefined, gives: { kind: "workloadIdentity" } },
    { identity: { type: "UserAssignedMSI" }, secret: undefined, gives: { kind: "managedIdentity" } },
    {
      identity: { type: "ServicePrincipal" },
      secret: { clientSecret: "s\n" },
      gives: { kind: "clientSecret", clientSecret: "s" },
    },
    {
      identity: { type: "ManualServicePrincipal" },
      secret: { clientSecret: "s" },
      gives: { kind: "clientSecret", clientSecret: "s" },
    },
    {
      identity: { type: "ServicePrincipalCertificate" },
      secret: { certificate: "pem", password: "p", clientSecret: "old" },
      gives: { kind: "certificate", certificate: "pem", password: "p" },
    },
    {
      identity: { type: "ServicePrincipalCertificate" },
      secret: { clientSecret: "pem" },
      gives: { kind: "certificate", certificate: "pem" },
    },
    {
      identity: { type: "ServicePrincipalCertificate", certPath: "/certs/a.pem" },
      secret: undefined,
      gives: { kind: "certificateFile", path: "/certs/a.pem" },
    },
    {
      identity: {
        type: "UserAssignedIdentityCredential",
        userAssignedIdentityCredentialsPath: "/c.json",
        userAssignedIdentityCredentialsCloudType: "Public",
      },
      secret: undefined,
      gives: { kind: "userAssignedIdentityFile", path: "/c.json" },
    },
  ])("$identity.type with $secret", ({ identity, secret, gives }) =>
    expect(credentialOf(identity, secret)).toEqual({ ok: true, value: { ...shared, ...gives } }),
  );

  it.each(["public", "PUBLIC", " Public\n", "", "AzurePublicCloud", "moon"])(
    "takes a file of cloud type %j for one of the public cloud",
    (userAssignedIdentityCredentialsCloudType) => {
      const identity = {
        type: "UserAssignedIdentityCredential",
        userAssignedIdentityCredentialsPath: "/c.json",
        userAssignedIdentityCredentialsCloudType,
      };
      expect(credentialOf(identity)).toMatchObject({ value: { cloud: "AzurePublicCloud" } });
    },
  );
  it.each([
    { cloudType: "china", cloud: "AzureChinaCloud" },
    { cloudType: "USGovernment", cloud: "AzureUSGovernmentCloud" },
  ])("takes a file of cloud type $cloudType for one of $cloud", ({ cloudType, cloud }) => {
    const identity = {
      type: "UserAssignedIdentityCredential",
      userAssignedIdentityCredentialsPath: "/c.json",
      userAssignedIdentityCredentialsCloudType: cloudType,
    };
    expect(credentialOf(identity, undefined, { azureEnvironment: cloud })).toMatchObject({ value: { cloud } });
    expect(credentialOf(identity)).toMatchObject({ error: { reason: "InvalidConfiguration" } });
  });

  it("opens a certificate under either key with the password, and heeds no line end", () =>
    expect(
      credentialOf(
        { type: "ServicePrincipalCertificate", clientID: "client\n", tenantID: " tenant" },
        { clientSecret: "pem", password: "p\n" },
      ),
    ).toEqual({ ok: true, value: { ...shared, kind: "certificate", certificate: "pem", password: "p" } }));

  it.each(["AzureGermanCloud", "azurepubliccloud", "moon"])(
    "is none in the cloud %s, whatever the type, and the right names are told",
    (azureEnvironment) => {
      for (const type of ["WorkloadIdentity", "UserAssignedMSI", "ServicePrincipal"])
        expect(credentialOf({ type }, { clientSecret: "s" }, { azureEnvironment })).toMatchObject({
          error: {
            reason: "InvalidConfiguration",
            message: expect.stringContaining("AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud"),
          },
        });
    },
  );

  it("takes the cloud of the cluster", () =>
    expect(credentialOf({}, undefined, { azureEnvironment: "AzureChinaCloud" })).toMatchObject({
      value: { cloud: "AzureChinaCloud" },
    }));

  it.each([
    {
      when: "the secret lacks the key",
      identity: { type: "ServicePrincipal", clientSecret: { name: "s" } },
      secret: { other: "hush" },
      reason: "IdentitySecretNotFound",
      says: "secret s must exist and have the key clientSecret",
    },
    {
      when: "no secret is named",
      identity: { type: "ServicePrincipal" },
      secret: undefined,
      reason: "IdentitySecretNotFound",
      says: "spec.clientSecret.name",
    },
    {
      when: "no file is named",
      identity: { type: "UserAssignedIdentityCredential" },
      secret: undefined,
      reason: "InvalidConfiguration",
      says: "userAssignedIdentityCredentialsPath",
    },
    {
      when: "the file is of another cloud",
      identity: {
        type: "UserAssignedIdentityCredential",
        userAssignedIdentityCredentialsPath: "/c",
        userAssignedIdentityCredentialsCloudType: "china",
      },
      secret: undefined,
      reason: "InvalidConfiguration",
      says: "AzurePublicCloud",
    },
    {
      when: "the type is none",
      identity: { type: "Password" },
      secret: undefined,
      reason: "InvalidConfiguration",
      says: '"Password" must be one of',
    },
  ])("is refused when $when, without telling a secret", ({ identity, secret, reason, says }) => {
    const credential = credentialOf(identity, secret);
    expect(credential).toMatchObject({ ok: false, error: { reason } });
    expect(JSON.stringify(credential)).toContain(JSON.stringify(says).slice(1, -1));
    expect(JSON.stringify(credential)).not.toContain("hush");
  });

  it("is refused when the identity does not exist", () => {
    const input = inputOf(anAzureCluster());
    const { identity: _, ...dependencies } = input.dependencies;
    expect(azureCluster.read({ ...input, dependencies }).credential(undefined)).toMatchObject({
      error: { reason: "IdentityNotFound" },
    });
  });
  it("is refused when the reference is of another kind", () =>
    expect(credentialOf({}, undefined, { identityRef: { kind: "Secret", name: "sp" } })).toMatchObject({
      error: { reason: "InvalidConfiguration" },
    }));
  it("is refused when nothing is referred to", () =>
    expect(credentialOf({}, undefined, { identityRef: {} })).toMatchObject({
      error: { reason: "InvalidConfiguration" },
    }));
});

describe("secret of an identity", () => {
  const secretOf = (identity: JsonObject) =>
    azureCluster.read(inputOf(anAzureCluster(), { identity: anIdentity(identity, { namespace: "ids" }) })).secret;
  it("lies beside the identity unless said otherwise", () => {
    expect(secretOf({ type: "ServicePrincipal", clientSecret: { name: "s" } })).toEqual({
      namespace: "ids",
      name: "s",
    });
    expect(secretOf({ type: "ServicePrincipal", clientSecret: { name: "s", namespace: "x" } })).toEqual({
      namespace: "x",
      name: "s",
    });
  });
  it.each([{ type: "WorkloadIdentity" }, { type: "ServicePrincipalCertificate", certPath: "/c" }])(
    "is not read for $type",
    (identity) => expect(secretOf({ ...identity, clientSecret: { name: "s" } })).toBeUndefined(),
  );
});

// The API server lets an object be deleted, whatever its cluster's identity has become.
describe("an identity that a cluster keeps by its finalizer", () => {
  const { current, former } = identityFinalizers({ kind: "AzureCluster", namespace: "default", name: "c1" })!;
  const gone = { deletionTimestamp: "2026-01-01T00:00:00Z" };
  const nobody = { allowedNamespaces: { list: [] } };
  const readOf = (cluster: object, identity: KubeObject) =>
    azureCluster.read(inputOf(anAzureCluster({}, cluster), { identity })).credential(undefined);

  it.each([
    { when: "it is kept and the cluster goes", finalizers: [current], cluster: gone, ok: true },
    { when: "upstream kept it and the cluster goes", finalizers: [former], cluster: gone, ok: true },
    { when: "it is not kept and the cluster goes", finalizers: ["other"], cluster: gone, ok: false },
    { when: "it is kept and the cluster stays", finalizers: [current], cluster: {}, ok: false },
  ])("when $when may be used without the right to it: $ok", ({ finalizers, cluster, ok }) =>
    expect(readOf(cluster, anIdentity(nobody, { finalizers })).ok).toBe(ok),
  );
  it.each([
    { when: "kept", finalizers: [current], cluster: {}, ok: true },
    { when: "not kept", finalizers: ["other"], cluster: {}, ok: false },
    { when: "not kept, by a cluster that goes, too", finalizers: ["other"], cluster: gone, ok: true },
  ])("that is being deleted and $when may be used: $ok", ({ finalizers, cluster, ok }) => {
    const credential = readOf(cluster, anIdentity({}, { ...gone, finalizers }));
    expect(credential.ok).toBe(ok);
    if (!credential.ok) expect(credential.error.reason).toBe("IdentityDeleting");
  });
});

// Fact sheet 9.3; the namespace is `default` with label team=blue.
describe("allowedNamespaces", () => {
  it.each<{ readonly allowed: JsonObject | null | undefined; readonly may: boolean }>([
    { allowed: undefined, may: false },
    { allowed: null, may: false },
    { allowed: {}, may: true },
    { allowed: { list: ["default"] }, may: true },
    { allowed: { list: ["other"] }, may: false },
    { allowed: { list: [] }, may: false },
    { allowed: { selector: {} }, may: false },
    { allowed: { selector: { matchLabels: { team: "blue" } } }, may: true },
    { allowed: { selector: { matchLabels: { team: "red" } } }, may: false },
    { allowed: { list: ["other"], selector: { matchLabels: { team: "blue" } } }, may: true },
    { allowed: { list: ["default"], selector: { matchLabels: { team: "red" } } }, may: true },
    { allowed: { list: ["other"], selector: { matchLabels: { team: "red" } } }, may: false },
    { allowed: { list: ["other"], selector: {} }, may: false },
    { allowed: { selector: { matchExpressions: [{ key: "team", operator: "In", values: ["blue"] }] } }, may: true },
    { allowed: { selector: { matchExpressions: [{ key: "team", operator: "NotIn", values: ["blue"] }] } }, may: false },
    { allowed: { selector: { matchExpressions: [{ key: "team", operator: "Exists" }] } }, may: true },
    { allowed: { selector: { matchExpressions: [{ key: "team", operator: "DoesNotExist" }] } }, may: false },
    { allowed: { selector: { matchExpressions: [{ key: "team", operator: "in", values: ["blue"] }] } }, may: false },
  ])("$allowed -> $may", ({ allowed, may }) => {
    const identity = anObject("AzureClusterIdentity", {
      name: "sp",
      spec: {
        type: "WorkloadIdentity",
        clientID: "c",
        tenantID: "t",
        ...(allowed !== undefined && { allowedNamespaces: allowed }),
      },
    });
    const credential = azureCluster.read(inputOf(anAzureCluster(), { identity })).credential(undefined);
    expect(credential.ok).toBe(may);
    if (!credential.ok) expect(credential.error.reason).toBe("NamespaceNotAllowedByIdentity");
  });
});
