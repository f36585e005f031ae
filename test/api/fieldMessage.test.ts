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
  ])("never shows a secret: $path", ({ path, value }) => {
    const message = fieldMessage(path, value, "must be right");
    expect(message).toContain("***");
    expect(message).not.toMatch(/hush|7/);
  });
});
