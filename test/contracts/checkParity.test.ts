import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedKind } from "../../src/api/check/checkedKind.ts";
import { checkObject } from "../../src/api/check/checkObject.ts";
import { storedForm } from "../../src/api/check/storedForm.ts";
import { crd } from "../../src/api/crd.ts";
import { isObject } from "../../src/api/json.ts";
import { apiVersionOf, infrastructureKinds, kindEntry } from "../../src/api/registry.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { changedOften, textsIn, aValue } from "../api/check/objectArbitrary.ts";
import { ruleCases } from "../api/rules/index.ts";
import { patched } from "../support/admission/admissionServer.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";

/** How many random objects a kind, each for a creation and for an update; more by hand than in a pipeline. */
const runs = Number(process.env["PARITY_RUNS"] ?? 60);
const seed = process.env["PARITY_SEED"];
const settings = { numRuns: runs, ...(seed !== undefined && { seed: Number(seed) }) };

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

interface Answer {
  readonly accepted: boolean;
  readonly object?: JsonObject;
  readonly message?: string;
}

const answerOf = ({ status, body }: { readonly status: number; readonly body: string }): Answer => {
  const answer = JSON.parse(body) as JsonObject;
  // A refusal, not some other trouble.
  expect([200, 201, 400, 403, 409, 422, 500]).toContain(status);
  return status < 300 ? { accepted: true, object: answer } : { accepted: false, message: JSON.stringify(answer["message"]) };
};

const namespaceOf = (kind: string, which = ""): string => `parity-${kind.toLowerCase()}${which}`;

const make = (kind: string, namespace: string, object: JsonObject, dryRun: boolean): Promise<Answer> => {
  const entry = kindEntry(kind)!;
  const path = `/apis/${apiVersionOf(entry)}/namespaces/${namespace}/${entry.plural}?fieldValidation=Ignore${dryRun ? "&dryRun=All" : ""}`;
  return controlPlane.api
    .send({ method: "POST", path, contentType: "application/json", body: JSON.stringify(object) })
    .then(answerOf);
};

const change = (kind: string, before: JsonObject, patch: readonly JsonObject[]): Promise<Answer> => {
  const entry = kindEntry(kind)!;
  const { name, namespace } = before["metadata"] as { readonly name: string; readonly namespace: string };
  const path = `/apis/${apiVersionOf(entry)}/namespaces/${namespace}/${entry.plural}/${name}?fieldValidation=Ignore&dryRun=All`;
  return controlPlane.api
    .send({ method: "PATCH", path, contentType: "application/json-patch+json", body: JSON.stringify(patch) })
    .then(answerOf);
};

const makeNamespace = (name: string): Promise<void> =>
  controlPlane.api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });

const whole = (kind: string, object: JsonObject): JsonObject => ({
  apiVersion: apiVersionOf(kindEntry(kind)!),
  kind,
  metadata: { name: "it" },
  ...object,
});

const casesOf = (kind: string) => ruleCases.find((it) => it.kind === kind);
/** Valid objects of a kind, as the examples of its rules have them. */
const examplesOf = (kind: string): readonly JsonObject[] => {
  const { base = { spec: {} }, cases = [] } = casesOf(kind) ?? {};
  const patches = [{}, ...cases.map(({ accepts, from }) => (from === undefined ? accepts : patched(from, accepts)))];
  return patches.map((patch) => whole(kind, patched(base, patch)));
};
const refusedOf = (kind: string): readonly JsonObject[] => {
  const { base = { spec: {} }, cases = [] } = casesOf(kind) ?? {};
  return cases.map(({ refuses, from }) => whole(kind, patched(base, from === undefined ? refuses : patched(from, refuses))));
};
/** Texts of the examples and of the rules themselves, on which they are likely to turn. */
const tellingTexts = (kind: string): readonly string[] => [
  ...new Set([...examplesOf(kind), ...refusedOf(kind)].flatMap(textsIn).filter((text) => text.length < 300)),
];

/** Both say the same; on acceptance they store the same. */
const compare = (kind: string, object: JsonObject, before: JsonObject | undefined, answer: Answer): void => {
  const findings = checkObject(kind, object, before === undefined ? {} : { before });
  expect({ accepted: findings.length === 0, findings, said: answer.message, object }).toMatchObject({
    accepted: answer.accepted,
  });
  if (answer.accepted) expect(storedForm(kind, object).object["spec"]).toEqual(answer.object?.["spec"]);
};

/** What is sent is JSON. */
const asJson = <Value extends Json>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

describe.each(infrastructureKinds.map((entry) => entry.kind))("server and offline check of %s", (kind) => {
  const namespace = namespaceOf(kind);
  const { root } = checkedKind(kind)!;
  const spec = root.properties.get("spec")!;
  const texts = tellingTexts(kind);
  const examples = examplesOf(kind);
  beforeAll(() => makeNamespace(namespace));

  it("agree on new objects", () => {
    const fresh = aValue(spec, texts).map((it) => whole(kind, { spec: it }));
    const near = fc
      .constantFrom(...examples)
      .chain((example) => changedOften(spec, example["spec"] ?? {}, texts).map((it) => ({ ...example, spec: it })));
    return fc.assert(
      fc.asyncProperty(fc.oneof({ weight: 1, arbitrary: fresh }, { weight: 3, arbitrary: near }), async (made) => {
        const object = asJson(made as JsonObject);
        compare(kind, object, undefined, await make(kind, namespace, object, true));
      }),
      settings,
    );
  });

  it("agree on changes", async () => {
    const stored: JsonObject[] = [];
    for (const [i, example] of examples.entries()) {
      const within = namespaceOf(kind, `-${i}`);
      await makeNamespace(within);
      const answer = await make(kind, within, example, false);
      if (answer.object !== undefined) stored.push(answer.object);
    }
    if (stored.length === 0) return;
    const both = fc
      .constantFrom(...stored)
      .chain((before) =>
        fc
          .oneof(
            { weight: 4, arbitrary: changedOften(spec, before["spec"] ?? {}, texts) },
            { weight: 1, arbitrary: fc.constantFrom(...examples).map((example) => example["spec"] ?? {}) },
          )
          .map((it) => ({ before, spec: it })),
      );
    await fc.assert(
      fc.asyncProperty(both, async ({ before, spec: made }) => {
        const value = asJson(made);
        const op = Object.hasOwn(before, "spec") ? "replace" : "add";
        const answer = await change(kind, before, [{ op, path: "/spec", value }]);
        compare(kind, { ...before, spec: value }, before, answer);
      }),
      settings,
    );
  });
});

describe.each(infrastructureKinds.map((entry) => entry.kind))("server and offline check of a malformed %s", (kind) => {
  const { root } = checkedKind(kind)!;
  const strange: readonly Json[] = [null, "", "text", 0, -1, 1.5, true, [], {}, [null], [[]], { a: null }];
  const base = examplesOf(kind)[0]!;
  const spec = isObject(base["spec"]) ? base["spec"] : {};
  const fields = [...root.properties.get("spec")!.properties.keys()];
  const objects: readonly JsonObject[] = [
    whole(kind, {}),
    ...strange.map((it) => ({ ...base, spec: it })),
    ...strange.map((it) => ({ ...base, metadata: it })),
    ...strange.map((it) => ({ ...base, status: it })),
    ...strange.map((it) => ({ ...base, metadata: { name: "it", labels: it } })),
    ...strange.map((it) => ({ ...base, metadata: { name: "it", annotations: { a: it } } })),
    ...strange.map((it) => ({ ...base, metadata: { name: it } })),
    ...fields.flatMap((field) => strange.map((it) => ({ ...base, spec: { ...spec, [field]: it } }))),
  ];
  it("agree", async () => {
    await makeNamespace(namespaceOf(kind));
    for (const object of objects) compare(kind, object, undefined, await make(kind, namespaceOf(kind), object, true));
  });
});
