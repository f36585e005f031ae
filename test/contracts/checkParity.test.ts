import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedKind } from "../../src/api/check/checkedKind.ts";
import { checkObject } from "../../src/api/check/checkObject.ts";
import type { Finding } from "../../src/api/check/finding.ts";
import { storedForm } from "../../src/api/check/storedForm.ts";
import { crd } from "../../src/api/definition/crd.ts";
import { isObject } from "../../src/api/json.ts";
import { apiVersionOf, infrastructureKinds, kindEntry } from "../../src/api/registry.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { aValue, changedOften } from "../api/check/objectArbitrary.ts";
import { examplesOf, tellingTextsOf } from "../support/admission/examples.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";

/** How many random objects a kind, each for a creation and for an update; more by hand than in a pipeline. */
const runs = Number(process.env["PARITY_RUNS"] ?? 50);
/** How many valid objects of a kind are changed. */
const mostStored = Math.max(10, Math.ceil(runs / 10));

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

interface Cause {
  readonly field?: string;
  readonly message?: string;
}
interface Answer {
  readonly accepted: boolean;
  readonly object: JsonObject;
  readonly said: string;
  readonly causes: readonly Cause[];
}

const answerOf = ({ status, body }: { readonly status: number; readonly body: string }): Answer => {
  const answer = JSON.parse(body) as JsonObject & { readonly details?: { readonly causes?: readonly Cause[] } };
  // A verdict, not some other trouble.
  expect([200, 201, 400, 422, 500], body).toContain(status);
  return {
    accepted: status < 300,
    object: answer,
    said: typeof answer["message"] === "string" ? answer["message"] : "",
    causes: answer.details?.causes ?? [],
  };
};

const pathOf = (kind: string, namespace: string, name = ""): string => {
  const entry = kindEntry(kind)!;
  return `/apis/${apiVersionOf(entry)}/namespaces/${namespace}/${entry.plural}${name}`;
};
// What a schema does not know is dropped, as `storedForm` does.
const query = "?fieldValidation=Ignore";

const make = (kind: string, namespace: string, object: JsonObject, suffix = "&dryRun=All"): Promise<Answer> =>
  controlPlane.api
    .send({
      method: "POST",
      path: `${pathOf(kind, namespace)}${query}${suffix}`,
      contentType: "application/json",
      body: JSON.stringify(object),
    })
    .then(answerOf);

const change = (kind: string, before: JsonObject, patch: readonly JsonObject[]): Promise<Answer> => {
  const { name, namespace } = before["metadata"] as { readonly name: string; readonly namespace: string };
  return controlPlane.api
    .send({
      method: "PATCH",
      path: `${pathOf(kind, namespace, `/${name}`)}${query}&dryRun=All`,
      contentType: "application/json-patch+json",
      body: JSON.stringify(patch),
    })
    .then(answerOf);
};

const makeNamespace = (name: string): Promise<void> =>
  controlPlane.api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** Of these the words are our own, because the API server's are several or in Go's notation. */
const ownWords: ReadonlySet<Finding["rule"]> = new Set(["type", "duplicate"]);

/** Not said of a number for which the bounds of its field are said. */
const beyondBits = "integer with format int32";

/** Whether some finding says what a cause says. Of metadata ours are nearer to the fault, in words of our own. */
const isFound = ({ field = "", message = "" }: Cause, findings: readonly Finding[]): boolean =>
  findings.some(({ path, rule, message: words }) =>
    rule === "metadata"
      ? path.replaceAll(/\[[^\]]*\]/g, "").startsWith(field)
      : path === field && (ownWords.has(rule) || message.includes(words) || message.includes(beyondBits)),
  );

/** The API server says so when it asks no rules because of what else is wrong. */
const isAside = ({ field = "" }: Cause): boolean => field === "<nil>" || field === "";

/** Both say the same; on acceptance they store the same. */
const compare = (kind: string, object: JsonObject, before: JsonObject | undefined, answer: Answer): void => {
  const findings = checkObject(kind, object, { dryRun: true, ...(before !== undefined && { before }) });
  const about = JSON.stringify({ object, before, findings, said: answer.said });
  expect(findings.length === 0, about).toBe(answer.accepted);
  if (answer.accepted) expect(storedForm(kind, object).object["spec"], about).toEqual(answer.object["spec"]);
  const missed = answer.causes.filter((cause) => !isAside(cause) && !isFound(cause, findings));
  expect(missed, about).toEqual([]);
};

/** Times as people write them. */
const times: readonly string[] = [
  "2026-01-31T12:00:00Z",
  "2026-01-31T12:00:00.5+01:00",
  "2026-01-31T12:00:00,5Z",
  "2026-01-31T1:00:00Z",
  "2026-01-31",
  "yesterday",
  "2026-01-31T12:00:00",
  "2026-01-31t12:00:00z",
  "2026-01-31 12:00:00Z",
  "2026-02-30T12:00:00Z",
  "2026-00-10T12:00:00Z",
  "2026-01-31T24:00:00Z",
  "2026-01-31T12:60:00Z",
  "2026-01-31T12:00:60Z",
  "2026-01-31T12:00:00+24:60",
  "2026-01-31T12:00:00+25:00",
  "0000-02-29T00:00:00Z",
];

/** Metadata in which something is of the wrong type, or almost. */
const strangeMetadata = (strange: readonly Json[]): readonly JsonObject[] => [
  ...[...strange, ...times].flatMap((it) => [{ creationTimestamp: it }, { deletionTimestamp: it }]),
  ...["selfLink", "uid", "resourceVersion", "generation", "deletionGracePeriodSeconds", "managedFields"].flatMap(
    (field) => strange.map((it) => ({ [field]: it })),
  ),
  ...["manager", "operation", "apiVersion", "time", "fieldsType", "fieldsV1", "subresource"].flatMap((field) =>
    strange.map((it) => ({ managedFields: [{ [field]: it }] })),
  ),
  ...["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"].flatMap((field) =>
    strange.map((it) => ({ ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a", uid: "u", [field]: it }] })),
  ),
  ...strange.map((it) => ({ finalizers: ["a/b", it] })),
];

/** What is sent is JSON. */
const asJson = <Value extends Json>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

/** What policies read of the metadata. */
const someMetadata = fc.record({
  labels: fc.constantFrom<JsonObject>(
    {},
    { "cluster.x-k8s.io/cluster-name": "c1" },
    { "cluster.x-k8s.io/cluster-name": "other" },
  ),
  annotations: fc.oneof(
    { weight: 9, arbitrary: fc.constant<JsonObject>({}) },
    { weight: 1, arbitrary: fc.constant<JsonObject>({ "topology.cluster.x-k8s.io/dry-run": "" }) },
  ),
});
const withMetadata = (object: JsonObject, metadata: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(isObject(object["metadata"]) ? object["metadata"] : {}), ...metadata },
});

const every = <Item>(items: readonly Item[], most: number): readonly Item[] =>
  items.filter((_item, i) => i % Math.ceil(items.length / most) === 0);

describe.each(infrastructureKinds.map((entry) => entry.kind))("server and offline check of %s", (kind) => {
  const namespace = `parity-${kind.toLowerCase()}`;
  const spec = checkedKind(kind)!.root.properties.get("spec")!;
  const texts = tellingTextsOf(kind);
  const examples = examplesOf(kind);
  const specOf = (object: JsonObject): Json => object["spec"] ?? {};
  beforeAll(() => makeNamespace(namespace));

  it("agree on new objects", () => {
    const fresh = fc.tuple(fc.constantFrom(...examples), aValue(spec, texts));
    const near = fc
      .constantFrom(...examples)
      .chain((example) => fc.tuple(fc.constant(example), changedOften(spec, specOf(example), texts)));
    const made = fc.oneof({ weight: 1, arbitrary: fresh }, { weight: 3, arbitrary: near });
    return fc.assert(
      fc.asyncProperty(made, someMetadata, async ([example, value], metadata) => {
        const object = asJson(withMetadata({ ...example, spec: value }, metadata));
        compare(kind, object, undefined, await make(kind, namespace, object));
      }),
      { numRuns: runs },
    );
  });

  it("agree on changes", async () => {
    const stored: JsonObject[] = [];
    for (const [i, example] of every(examples, mostStored).entries()) {
      await makeNamespace(`${namespace}-${i}`);
      const metadata = i % 2 === 0 ? {} : { labels: { "cluster.x-k8s.io/cluster-name": "c1" } };
      const answer = await make(kind, `${namespace}-${i}`, withMetadata(example, metadata), "");
      if (answer.accepted) stored.push(answer.object);
    }
    expect(stored.length).toBeGreaterThan(0);
    const both = fc
      .constantFrom(...stored)
      .chain((before) =>
        fc.tuple(
          fc.constant(before),
          fc.oneof(
            { weight: 4, arbitrary: changedOften(spec, specOf(before), texts) },
            { weight: 1, arbitrary: fc.constantFrom(...examples).map(specOf) },
          ),
        ),
      );
    await fc.assert(
      fc.asyncProperty(both, someMetadata, async ([before, made], metadata) => {
        const value = asJson(made);
        const patch = Object.entries({ ...metadata }).map(([field, it]) => ({
          op: "add",
          path: `/metadata/${field}`,
          value: it,
        }));
        const answer = await change(kind, before, [{ op: "add", path: "/spec", value }, ...patch]);
        compare(kind, withMetadata({ ...before, spec: value }, metadata), before, answer);
      }),
      { numRuns: runs },
    );
  });

  it("agree on what is malformed", async () => {
    const strange: readonly Json[] = [null, "", "text", 0, -1, 1.5, true, [], {}, [null], [[]], { a: null }];
    const [base = {}] = examples;
    const given = specOf(base);
    const fields = [...spec.properties.keys()];
    const objects: readonly JsonObject[] = [
      ...["spec", "metadata", "status", "other"].flatMap((field) => strange.map((it) => ({ ...base, [field]: it }))),
      ...["labels", "annotations", "finalizers", "ownerReferences", "namespace", "name", "generateName"].flatMap(
        (field) => strange.map((it) => ({ ...base, metadata: { name: "it", [field]: it } })),
      ),
      ...strange.map((it) => ({ ...base, metadata: { name: "it", labels: { a: it }, annotations: { b: it } } })),
      ...strangeMetadata(strange).map((metadata) => ({ ...base, metadata: { name: "it", ...metadata } })),
      ...fields.flatMap((field) =>
        strange.map((it) => ({ ...base, spec: { ...(isObject(given) ? given : {}), [field]: it } })),
      ),
    ];
    for (const object of objects) {
      const answer = await make(kind, namespace, object);
      // The namespace of the request, not the object, is at fault.
      if (!answer.said.includes("does not match the namespace")) compare(kind, object, undefined, answer);
    }
  });
});
