import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { azureClusterTemplateSpec } from "../../../src/api/cluster/azureClusterTemplate.ts";
import { crd } from "../../../src/api/definition/crd.ts";
import { valueAt } from "../../../src/api/json.ts";
import { parseAzureMachine } from "../../../src/api/machine/azureMachine.ts";
import { parseAzureMachinePool } from "../../../src/api/machine/azureMachinePool.ts";
import { parseAzureMachinePoolMachine } from "../../../src/api/machine/azureMachinePoolMachine.ts";
import { parseAzureMachineTemplate } from "../../../src/api/machine/azureMachineTemplate.ts";
import { parseSpec } from "../../../src/api/parse.ts";
import { kindEntry } from "../../../src/api/registry.ts";
import { fillVariables } from "../../../src/cli/fillVariables.ts";
import type { Json, JsonObject, KubeObject } from "../../../src/core/types.ts";
import { anObject } from "../../kinds/aCluster.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";
import { specArbitrary } from "../specArbitrary.ts";

const parsers = {
  AzureMachine: parseAzureMachine,
  AzureMachineTemplate: parseAzureMachineTemplate,
  AzureMachinePool: parseAzureMachinePool,
  AzureMachinePoolMachine: parseAzureMachinePoolMachine,
  AzureClusterTemplate: (object: KubeObject) => parseSpec(azureClusterTemplateSpec, object, "Ready"),
} as const;
type Kind = keyof typeof parsers;
const kinds = Object.keys(parsers) as readonly Kind[];
const parsed = (kind: Kind, spec: unknown) => parsers[kind](anObject(kind, { spec: spec as JsonObject }));

describe.each(kinds)("the spec of %s", (kind) => {
  const versions = crd(kindEntry(kind)!).spec["versions"] as readonly Json[];
  const schema = valueAt(versions[0], "schema", "openAPIV3Schema", "properties", "spec") as never;

  it("comes through whole when all of it is set", () =>
    fc.assert(
      fc.property(specArbitrary(schema), (spec) => {
        expect(parsed(kind, spec)).toEqual({ ok: true, value: spec });
      }),
      { numRuns: 50 },
    ));
  it("is read without a throw, whatever stands there", () =>
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (spec, within) => {
        expect(typeof parsed(kind, spec).ok).toBe("boolean");
        expect(typeof parsed(kind, { template: { spec: within }, osDisk: within, image: within }).ok).toBe("boolean");
      }),
    ));
});

describeWithShared("the templates of the contract", () => {
  const folder = join(sharedDir, "contract", "templates");
  const filled = (file: string): string => {
    const template = readFileSync(join(folder, file), "utf8");
    const names = [...template.matchAll(/\$\{\s*([A-Za-z0-9_]+)/g)].map((match) => match[1]!);
    const isNumber = (name: string): boolean => /COUNT|SIZE_GB/.test(name);
    const env = Object.fromEntries(names.map((name) => [name, isNumber(name) ? "3" : "some"]));
    const text = fillVariables(template, env);
    if (!text.ok) throw new Error(text.error);
    return text.value;
  };
  const objects = () =>
    readdirSync(folder).flatMap((file) =>
      parseAllDocuments(filled(file))
        .map((document) => document.toJS() as { readonly kind: string; readonly spec: JsonObject })
        .filter(({ kind }) => kind in parsers)
        .map(({ kind, spec }) => ({ file, kind: kind as Kind, spec })),
    );

  it("hold only machines and pools that can be read", () => {
    const bad = objects()
      .map(({ file, kind, spec }) => ({ file, kind, result: parsed(kind, spec) }))
      .filter(({ result }) => !result.ok);
    expect(bad).toEqual([]);
    expect(new Set(objects().map(({ kind }) => kind))).toEqual(new Set(["AzureMachineTemplate", "AzureMachinePool"]));
  });
});

describe("a machine", () => {
  const least = { vmSize: "Standard_D2s_v5", osDisk: { osType: "Linux" } };
  it.each<{ readonly when: string; readonly spec: JsonObject; readonly gives: JsonObject }>([
    { when: "of Linux, where the disk does not say", spec: { osDisk: {} }, gives: least },
    {
      when: "on spot, by an empty wish",
      spec: { ...least, spotVMOptions: {} },
      gives: { ...least, spotVMOptions: {} },
    },
    {
      when: "with one address for the 0 of Go",
      spec: { ...least, networkInterfaces: [{ subnetName: "", privateIPConfigs: 0 }] },
      gives: { ...least, networkInterfaces: [{}] },
    },
    {
      when: "with the logical unit 0",
      spec: { ...least, dataDisks: [{ nameSuffix: "a", diskSizeGB: 4, lun: 0 }] },
      gives: { ...least, dataDisks: [{ nameSuffix: "a", diskSizeGB: 4, lun: 0 }] },
    },
    { when: "without a key, for an empty one", spec: { ...least, sshPublicKey: "" }, gives: least },
  ])("is read as one $when", ({ spec, gives }) =>
    expect(parsed("AzureMachine", { vmSize: least.vmSize, ...spec })).toEqual({ ok: true, value: gives }),
  );
  it("tells where it has the wrong shape, under the condition of its VM", () => {
    const result = parsed("AzureMachine", { ...least, dataDisks: [{ nameSuffix: "a" }], identity: "Both" });
    expect(result).toMatchObject({
      ok: false,
      error: [
        { condition: "VMRunning", message: expect.stringContaining("spec.dataDisks[0]") },
        {
          condition: "VMRunning",
          message: expect.stringContaining("must be one of None, SystemAssigned, UserAssigned"),
        },
      ],
    });
  });
});
