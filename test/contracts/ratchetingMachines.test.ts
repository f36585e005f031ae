import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { apiVersionOf, kindEntry } from "../../src/api/registry.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import type { KubeObject } from "../../src/sim/controlPlane/kubeObject.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { azureMachineCases } from "../api/rules/azureMachine.ts";
import { azureMachinePoolCases } from "../api/rules/azureMachinePool.ts";
import { azureMachineTemplateCases } from "../api/rules/azureMachineTemplate.ts";
import { patched } from "../support/admission/admissionServer.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";
import { type AnObject, create, patch, patchStatus, read, remove, storedIn } from "../support/apiObjects.ts";
import { eventually } from "../support/e2e/eventually.ts";

/**
 * Objects that were there before our rules, one for each rule that it breaks: made under definitions without limits and
 * rules, and lived with under ours.
 */
const limits = new Set([
  "x-kubernetes-validations",
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "maxItems",
  "pattern",
]);
const withoutLimits = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => withoutLimits(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !limits.has(key))
      .map(([key, inner]) => [key, withoutLimits(inner as Json)]),
  );
};

const providerID = "azure:///subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm";
const kinds = [
  { ...azureMachineCases, ours: { spec: { providerID, failureDomain: "1" } } },
  { ...azureMachinePoolCases, ours: { spec: { providerID, providerIDList: [providerID] } } },
  { ...azureMachineTemplateCases, ours: { spec: { template: { metadata: { labels: { a: "b" } } } } } },
] as const;

const namespaceOf = (kind: string): string => `before-${kind.toLowerCase()}`;

/** A field that must be there, or of a type, always had to be. */
const wasEver = (rule: string): boolean => rule === "Required value" || rule.startsWith("must be of type");

/** What each rule about the state of an object refuses. */
const broken = kinds.flatMap(({ kind, base, cases, ours }) =>
  cases
    .filter(({ from, rule }) => from === undefined && !wasEver(rule))
    .map(({ rule, field, refuses }, index) => {
      const name = `it-${index}`;
      const apiVersion = apiVersionOf(kindEntry(kind)!);
      const body = patched(patched(base, refuses), { apiVersion, kind, metadata: { name } });
      const object: AnObject = { apiVersion, kind, name, namespace: namespaceOf(kind), body };
      return { kind, rule, field, object, ours };
    }),
);

describe("an object from before our rules", () => {
  let controlPlane: ControlPlane;
  /** Whether what was let pass is refused, made anew. */
  const isRefusedNow = async (kind: string): Promise<boolean> => {
    const { object } = broken.find((it) => it.kind === kind)!;
    const body = patched(object.body, { metadata: { name: "again" } });
    return (await create(controlPlane.api, { ...object, name: "again", body }, { dryRun: true })).status === 422;
  };

  beforeAll(async () => {
    controlPlane = await startControlPlane({ controllerManager: false });
    const { api } = controlPlane;
    const definitions = kinds.map(({ kind }) => crd(kindEntry(kind)!));
    // The one cast: without limits a definition is one still.
    await applyCrds(
      api,
      definitions.map((it) => withoutLimits(it as unknown as Json) as unknown as KubeObject),
    );
    for (const name of kinds.map(({ kind }) => namespaceOf(kind)))
      await api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    for (const { object } of broken) storedIn(await create(api, object));
    await applyCrds(api, definitions);
    await installPolicies(api);
    for (const { kind } of kinds) await eventually(`the rules of ${kind} to be in force`, () => isRefusedNow(kind));
  });
  afterAll(() => controlPlane?.stop());

  it.each(broken)("$kind $field, against: $rule", async ({ object, ours }) => {
    const { api } = controlPlane;
    const metadata: JsonObject = { finalizers: ["infrastructure.cluster.x-k8s.io/test"], annotations: { a: "b" } };
    storedIn(await patch(api, object, { metadata }));
    storedIn(await patch(api, object, ours));
    if (object.kind !== "AzureMachineTemplate") storedIn(await patchStatus(api, object, { ready: true }));
    storedIn(await remove(api, object));
    storedIn(await patch(api, object, { metadata: { finalizers: [] } }));
    await expect(read(api, object)).rejects.toThrow(/^404/);
  });
});
