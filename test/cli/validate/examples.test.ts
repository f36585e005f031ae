import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithShared, sharedDir } from "../../support/shared.ts";
import { validated } from "./validating.ts";

const examples = join(import.meta.dirname, "..", "..", "..", "examples");

describe("the examples of the repository", () => {
  it.each(readdirSync(examples).filter((name) => name.endsWith(".yaml")))(
    "have nothing wrong with them: %s",
    async (name) =>
      expect(await validated([join(examples, name)], { strict: true })).toMatchObject({ status: 0, lines: [] }),
  );
});

const values = {
  CLUSTER_NAME: "demo",
  CLUSTER_CLASS_NAME: "demo",
  CLUSTER_IDENTITY_NAME: "demo-identity",
  APISERVER_LB_DNS_SUFFIX: "a1b2c3",
  AZURE_LOCATION: "westeurope",
  AZURE_SUBSCRIPTION_ID: "00000000-0000-4000-8000-000000000001",
  AZURE_TENANT_ID: "00000000-0000-4000-8000-0000000007e4",
  AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: "00000000-0000-4000-8000-00000000c11e",
  AZURE_CONTROL_PLANE_MACHINE_TYPE: "Standard_D2s_v3",
  AZURE_NODE_MACHINE_TYPE: "Standard_D2s_v3",
  AZURE_SSH_PUBLIC_KEY: "ssh-rsa AAAA nobody",
  KUBERNETES_VERSION: "v1.35.1",
};

describeWithShared("upstream's templates", () => {
  const folder = join(sharedDir, "contract", "templates");
  const templates = readdirSync(folder);

  it.each(templates)("have nothing wrong with them: %s", async (name) =>
    expect(await validated([join(folder, name)], { env: values, strict: true })).toMatchObject({
      status: 0,
      lines: [],
    }),
  );

  it.each(templates)("want only variables when they have none: %s", async (name) => {
    const { status, lines } = await validated([join(folder, name)]);
    expect(status).toBe(1);
    for (const line of lines) expect(line).toMatch(/: no value for the variable \w+: /);
    expect(new Set(lines).size).toBe(lines.length);
  });
});
