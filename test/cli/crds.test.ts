import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policies } from "../../src/api/policies/index.ts";
import { infrastructureKinds } from "../../src/api/registry.ts";
import { clusterFolder, crds, staleFiles } from "../../src/cli/crds.ts";
import { parseObjects } from "../../src/sim/controlPlane/kubeObject.ts";
import { runCommand } from "../../src/sim/controlPlane/runCommand.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

const silent = (): void => undefined;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-crds-"));
});
afterAll(() => rm(folder, { recursive: true }));

const namesIn = async (inner: string): Promise<readonly string[]> =>
  (await readdir(join(folder, inner))).map((name) => `${inner}/${name}`);

describe("capstan crds", () => {
  it("finds the committed files up to date (else: npm run crds)", async () =>
    expect(await staleFiles(clusterFolder)).toEqual([]));

  it("writes what is missing, mends what differs, takes away what is too much and leaves the rest", async () => {
    const output = folder;
    await crds({ output, check: false }, silent);
    expect(await staleFiles(folder)).toEqual([]);
    await writeFile(join(folder, "crds", "azureclusters.infrastructure.cluster.x-k8s.io.yaml"), "changed");
    await writeFile(join(folder, "policies", "all-is-forbidden.yaml"), "too much");
    await writeFile(join(folder, "mine.yaml"), "somebody else's");
    await expect(crds({ output, check: true }, silent)).rejects.toThrow(
      "crds/azureclusters.infrastructure.cluster.x-k8s.io.yaml, policies/all-is-forbidden.yaml",
    );
    await crds({ output, check: false }, silent);
    expect(await staleFiles(folder)).toEqual([]);
    expect(await readdir(folder)).toEqual(["crds", "mine.yaml", "policies", "roles"]);
    expect([await namesIn("crds"), await namesIn("policies")].map(({ length }) => length)).toEqual([
      infrastructureKinds.length,
      policies.length,
    ]);
  });

  it("prints all of it as one stream for kubectl when no folder is named", async () => {
    const printed: string[] = [];
    await crds({ check: false }, (line) => printed.push(line));
    const kinds = parseObjects(printed.join("\n"), "printed").map(({ kind }) => kind);
    expect(Object.fromEntries(kinds.map((kind) => [kind, kinds.filter((other) => other === kind).length]))).toEqual({
      CustomResourceDefinition: infrastructureKinds.length,
      ClusterRole: 3,
      ClusterRoleBinding: 1,
      ValidatingAdmissionPolicy: policies.length,
      ValidatingAdmissionPolicyBinding: policies.length,
    });
  });
});

describeWithShared("the contract's definitions", () => {
  it("are kept field by field", async () => {
    const tool = join(sharedDir, "tools", "crd-parity", "crd-parity.mjs");
    const said = await runCommand(process.execPath, [tool, join(clusterFolder, "crds")]);
    expect(said).toMatch(/^0 differences/);
  });
});
