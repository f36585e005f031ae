import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { infrastructureKinds } from "../../src/api/registry.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { ruleCases } from "../api/rules/index.ts";
import { type AdmissionServer, admissionServer, patched, type Verdict } from "../support/admission/admissionServer.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";
import type { RuleCase } from "../support/admission/ruleCase.ts";

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: false });
  await applyCrds(
    controlPlane.api,
    infrastructureKinds.map((entry) => crd(entry)),
  );
  await installPolicies(controlPlane.api);
});
afterAll(() => controlPlane?.stop());

const namespaceOf = (kind: string): string => `rules-${kind.toLowerCase()}`;

describe.each(ruleCases)("the API server on $kind", ({ kind, base, cases }) => {
  let server: AdmissionServer;
  beforeAll(async () => {
    const namespace = namespaceOf(kind);
    await controlPlane.api.apply("/api/v1/namespaces", {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: namespace },
    });
    server = admissionServer(controlPlane.api, kind, namespace);
  });

  const judge = ({ from }: RuleCase, patch: RuleCase["accepts"]): Promise<Verdict> =>
    from === undefined ? server.judge(patched(base, patch)) : server.judgeUpdate(patched(base, from), patch);

  it("accepts the object that the examples begin with", async () =>
    expect(await server.judge(base)).toEqual({ status: 201, causes: [] }));

  it.each(cases)("$field: $rule", async (example) => {
    expect(await judge(example, example.accepts)).toMatchObject({ causes: [] });
    const refusal = await judge(example, example.refuses);
    expect(refusal.causes).toContainEqual({ field: example.field, message: expect.stringContaining(example.rule) });
  });
});
