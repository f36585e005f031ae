import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isObject, textAt, valueAt } from "../../../src/api/json.ts";
import { parseAzureMachine } from "../../../src/api/machine/azureMachine.ts";
import { parseAzureMachinePool } from "../../../src/api/machine/azureMachinePool.ts";
import type { Json, JsonObject, KubeObject } from "../../../src/core/types.ts";
import type { ComputeFacts } from "../../../src/kinds/machine/facts.ts";
import { completeMachine } from "../../../src/kinds/machineDefaults.ts";
import { completePool } from "../../../src/kinds/machinePoolDefaults.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";
import { anObject } from "../aCluster.ts";
import { readRecording } from "../manifest.ts";

const subscription = "00000000-0000-4000-8000-000000000001";

const must = <T>(
  result: { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown },
): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

const factsOf = ({ metadata }: KubeObject, stored: readonly KubeObject[]): ComputeFacts => {
  const subnets = valueAt(stored.find(({ kind }) => kind === "AzureCluster")?.spec, "networkSpec", "subnets");
  return {
    name: metadata.name,
    subscription,
    resourceGroup: "rg",
    role: "cluster.x-k8s.io/control-plane" in metadata.labels ? "control-plane" : "node",
    subnets: (Array.isArray(subnets) ? subnets : []).map((subnet: Json) => ({
      name: textAt(subnet, "name") ?? "",
      role: textAt(subnet, "role") ?? "",
    })),
  };
};

/** What upstream's webhooks and controllers wrote into a spec, but for the key and the ids. */
const storedSpec = ({ spec }: KubeObject, ...without: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => !without.includes(field)));

/** Go spells quantities in its own way. */
const asWritten = (spec: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(spec).replace('"maxPrice":"40m"', '"maxPrice":"0.04"')) as JsonObject;

/** The spec of the template that a machine was made from, as its author wrote it. */
const writtenSpec = ({ metadata }: KubeObject, manifest: readonly KubeObject[]): JsonObject => {
  const name = metadata.annotations["cluster.x-k8s.io/cloned-from-name"];
  const template = manifest.find((it) => it.kind === "AzureMachineTemplate" && it.metadata.name === name);
  const spec = valueAt(template?.spec, "template", "spec");
  if (!isObject(spec)) throw new Error(`no template of ${metadata.name}`);
  return spec;
};

describeWithShared("what upstream wrote into specs", () => {
  const recordings = readdirSync(join(sharedDir, "contract", "recordings"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const machines = recordings.flatMap((recording) => {
    const [manifest, stored] = [readRecording(recording, "manifest.yaml"), readRecording(recording, "status.yaml")];
    return stored
      .filter(({ kind }) => kind === "AzureMachine")
      .map((machine) => ({ title: `${recording} ${machine.metadata.name}`, machine, manifest, stored }));
  });

  it.each(machines)("follows from the template of $title", ({ machine, manifest, stored }) => {
    const spec = must(parseAzureMachine(anObject("AzureMachine", { spec: writtenSpec(machine, manifest) })));
    expect(completeMachine(factsOf(machine, stored), spec)).toMatchObject(
      asWritten(storedSpec(machine, "sshPublicKey", "providerID")),
    );
  });

  it("follows from the manifest of the pool", () => {
    const [manifest, stored] = [
      readRecording("machinepool", "manifest.yaml"),
      readRecording("machinepool", "status.yaml"),
    ];
    const [written, pool] = [manifest, stored].map((list) => list.find(({ kind }) => kind === "AzureMachinePool")!);
    const { template, ...rest } = storedSpec(pool!, "providerID", "providerIDList");
    expect(completePool(factsOf(pool!, stored), must(parseAzureMachinePool(written!)))).toMatchObject({
      ...rest,
      template: storedSpec({ ...pool!, spec: template as JsonObject }, "sshPublicKey"),
    });
  });
});
