import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crdFolder, crds, staleCrds } from "../../src/cli/crds.ts";
import { runCommand } from "../../src/sim/controlPlane/runCommand.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

const silent = (): void => undefined;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-crds-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("capstan crds", () => {
  it("finds the committed definitions up to date (else: npm run crds)", async () =>
    expect(await staleCrds(crdFolder)).toEqual([]));

  it("writes what is missing, mends what differs and takes away what is too much", async () => {
    await crds({ output: folder, check: false }, silent);
    expect(await staleCrds(folder)).toEqual([]);
    await writeFile(join(folder, "azureclusters.infrastructure.cluster.x-k8s.io.yaml"), "changed");
    await writeFile(join(folder, "azurethings.yaml"), "too much");
    await expect(crds({ output: folder, check: true }, silent)).rejects.toThrow(
      "azureclusters.infrastructure.cluster.x-k8s.io.yaml, azurethings.yaml",
    );
    await crds({ output: folder, check: false }, silent);
    expect(await readdir(folder)).toEqual(await readdir(crdFolder));
    expect(await staleCrds(folder)).toEqual([]);
  });
});

describeWithShared("the contract's definitions", () => {
  it.each(["AzureCluster", "AzureClusterIdentity"])("of %s are kept field by field", async (kind) => {
    const tool = join(sharedDir, "tools", "crd-parity", "crd-parity.mjs");
    const contract = join(sharedDir, "contract", "crds");
    const said = await runCommand(process.execPath, [tool, crdFolder, contract, "--kinds", kind]);
    expect(said).toMatch(/^0 differences/);
  });
});
