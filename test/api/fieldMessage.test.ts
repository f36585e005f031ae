import { describe, expect, it } from "vitest";
import { fieldMessage } from "../../src/api/fieldMessage.ts";

describe("what is wrong with a field", () => {
  it.each([
    { path: "spec.location", value: "", says: 'spec.location: "" must be right' },
    { path: "spec.port", value: 7, says: "spec.port: 7 must be right" },
    { path: "spec.identityRef", value: undefined, says: "spec.identityRef: must be right" },
    { path: "spec.list", value: ["a"], says: 'spec.list: ["a"] must be right' },
    { path: "spec.long", value: "x".repeat(100), says: `spec.long: "${"x".repeat(76)}... must be right` },
  ])("$path has $value", ({ path, value, says }) => expect(fieldMessage(path, value, "must be right")).toBe(says));

  it.each([
    { path: "spec.vmExtensions[0].protectedSettings", value: { script: "hush" } },
    { path: "spec.vmExtensions[0].protectedSettings.script", value: "hush" },
    { path: "spec.vmExtensions[0].protectedSettings[script]", value: 7 },
    { path: "spec.vmExtensions", value: [{ name: "e", protectedSettings: { script: "hush" } }] },
    { path: "spec.sshPublicKey", value: "hush" },
    { path: "spec.windowsProfile", value: { adminUsername: "me", adminPassword: "hush" } },
    { path: "spec.clientSecret", value: "hush" },
    { path: "spec.clientSecret", value: 7 },
    { path: "spec.clientSecret", value: ["hush"] },
    { path: "spec.clientSecret", value: { value: "hush" } },
    { path: "spec.clientSecret.name", value: 7 },
    { path: "spec.clientSecret.name", value: ["hush"] },
    { path: "spec.clientSecret.name.value", value: "hush" },
    { path: "spec.clientSecretValue", value: "hush" },
    { path: "spec.userAssignedIdentityCredentials", value: "hush" },
    { path: "spec.certPath", value: "-----BEGIN PRIVATE KEY-----\nhush" },
    { path: "spec.customData", value: "hush" },
    { path: "spec.asoManagedClusterPatches[0]", value: "hush" },
    { path: "spec.httpProxyConfig.httpProxy", value: "http://user:hush@proxy:8080" },
    { path: "spec.httpProxyConfig.httpsProxy", value: "http://user:hu/hush@proxy" },
    { path: "spec.httpProxyConfig.httpProxy", value: "user:hush@proxy:8080" },
    { path: "spec.httpProxyConfig.noProxy", value: ["a", "http://hush@proxy"] },
    { path: "spec.diagnostics.boot.userManaged.storageAccountURI", value: "https://a.blob/?sv=1&sig=hush" },
    { path: "metadata.annotations[token]", value: "hush" },
    { path: "metadata.labels[admin-password]", value: "hush" },
  ])("never shows a secret: $path", ({ path, value }) => {
    const message = fieldMessage(path, value, "must be right");
    expect(message).toContain("***");
    expect(message).not.toMatch(/hush|7/);
  });

  it.each([
    { path: "spec.clientSecret.name", value: "The_Name" },
    { path: "spec.clientSecret", value: { name: "The_Name", namespace: "n" } },
    { path: "spec.dataSecretName", value: "n" },
    { path: "spec.certPath", value: "tls.crt" },
    { path: "spec.userAssignedIdentityCredentialsPath", value: "/a/b" },
    { path: "spec.httpProxyConfig.httpProxy", value: "http://proxy:8080/" },
    { path: "spec.image.id", value: "/subscriptions/s/a@b" },
    { path: "spec.clientSecret", value: null },
  ])("shows what only names a secret: $path", ({ path, value }) =>
    expect(fieldMessage(path, value, "must be right")).toBe(`${path}: ${JSON.stringify(value)} must be right`),
  );
});
