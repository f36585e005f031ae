import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { putOperations } from "../../infra/generate/putOperations.ts";
import { markSecrets } from "../../infra/generate/secrets.ts";
import { packageDir } from "../../infra/generate/wireModel.ts";
import type { WireProperty, WireType } from "../../infra/generate/wireTypes.ts";

const repo = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "generate-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const generate = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repo, "infra/generate/main.ts"), ...args], {
    encoding: "utf8",
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  return { status, stdout, stderr };
};

describe("npm run generate", () => {
  it("makes from the installed packages exactly the committed files", () =>
    expect(generate("--check")).toEqual({ status: 0, stdout: "", stderr: "" }));
  it("writes what is missing or changed, and --check tells it", () => {
    const into = join(scratch, "generated");
    expect(generate("--check", "--into", into).status).toBe(1);
    expect(generate("--into", into).status).toBe(0);
    expect(readdirSync(into).toSorted()).toEqual(readdirSync(join(repo, "src/wire/generated")).toSorted());
    appendFileSync(join(into, "compute.ts"), "// by hand\n");
    expect(generate("--check", "--into", into)).toMatchObject({
      status: 1,
      stderr: "compute.ts is stale: run npm run generate\n",
    });
  });
});

describe("putOperations", () => {
  const find = putOperations(packageDir("@azure/arm-resources"));
  it("reads serializer and api-version, whatever the names and case in the URL", () =>
    expect(find("/subscriptions/{s}/RESOURCEGROUPS/{g}")).toEqual({
      serializer: "resourceGroupSerializer",
      apiVersion: "2025-04-01",
    }));
  it("refuses a URL without a PUT", () => expect(() => find("/subscriptions/{s}/resources")).toThrow(/^0 PUT/));
});

describe("markSecrets", () => {
  const one = (owner: string, name: string, kind: "string" | "boolean") => {
    const type: WireType = { kind };
    const property: WireProperty = { name, type, required: false, readOnly: false, secret: false };
    return markSecrets({ name: owner, properties: [property] }).properties[0]?.secret;
  };
  it.each([
    { owner: "OSProfile", name: "adminPassword", secret: true },
    { owner: "ManagedClusterServicePrincipalProfile", name: "secret", secret: true },
    { owner: "KeyVaultSecretReference", name: "secretUrl", secret: false },
    { owner: "OSProfile", name: "computerName", secret: false },
  ])("$owner $name: $secret", ({ owner, name, secret }) => expect(one(owner, name, "string")).toBe(secret));
  it("stops at a text that looks like a secret and is not declared", () => {
    expect(() => one("Anything", "registryPassword", "string")).toThrow(/registryPassword looks like a secret/);
    expect(() => one("OtherProfile", "secret", "string")).toThrow(/looks like a secret/);
  });
  it("takes a switch for what it is", () =>
    expect(one("Linux", "disablePasswordAuthentication", "boolean")).toBe(false));
});

const body = `{ location: "e", sku: { name: "Standard" }, properties: { loadBalancingRules: [
  { name: "r", properties: { protocol: "Tcp", frontendPort: 6443, probe: { id: "/p" } } }] } }`;

describe("the body types", () => {
  it.each([
    { when: "a right body", source: body, error: undefined },
    {
      when: "an unknown property",
      source: `{ location: "e", frontendIPConfigurations: [] }`,
      error: "frontendIPConfigurations",
    },
    { when: "a read-only property", source: `{ properties: { provisioningState: "x" } }`, error: "provisioningState" },
    { when: "the resource's own id", source: `{ id: "/x" }`, error: "'id'" },
    {
      when: "a missing property",
      source: `{ properties: { loadBalancingRules: [{ properties: { protocol: "Tcp" } }] } }`,
      error: "frontendPort",
    },
    { when: "undefined for absent", source: `{ location: undefined }`, error: "exactOptionalPropertyTypes" },
  ])("$when", ({ source, error }) => {
    const wire = join(repo, "src/wire");
    writeFileSync(
      join(scratch, "use.mts"),
      [
        `import type { LoadBalancerBody } from "${wire}/generated/network.ts";`,
        `import type { Json } from "${wire}/json.ts";`,
        `const body: LoadBalancerBody = ${source};`,
        "export const json: Json = body;",
      ].join("\n"),
    );
    writeFileSync(
      join(scratch, "tsconfig.json"),
      JSON.stringify({
        extends: join(repo, "tsconfig.json"),
        compilerOptions: { types: [] },
        include: [],
        files: ["use.mts"],
      }),
    );
    const tsc = join(repo, "node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", scratch], { encoding: "utf8" });
    if (error === undefined) expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    else {
      expect(status).not.toBe(0);
      expect(stdout).toContain(error);
    }
  });
});
