import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { apiVersionOf, type KindEntry, kindEntry } from "../../src/api/registry.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { type BrokenObject, brokenObjects } from "../api/rules/brokenObjects.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";

/** Objects that are older than our rules and break many of them: they must stay changeable elsewhere, and go. */

/** What a definition may say beyond the types of the contract. */
const limits = new Set([
  "x-kubernetes-validations",
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "pattern",
]);

/** The definition as it was before there were rules. */
const withoutRules = (value: Json): Json => {
  if (Array.isArray(value)) return value.map((item: Json) => withoutRules(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !(limits.has(key) && typeof inner !== "object") && key !== "x-kubernetes-validations")
      .map(([key, inner]) => [key, withoutRules(inner)]),
  );
};

const entryOf = (kind: string): KindEntry => {
  const entry = kindEntry(kind);
  if (entry === undefined) throw new Error(`no kind ${kind}`);
  return entry;
};

let controlPlane: ControlPlane;

const collectionOf = ({ kind }: BrokenObject): string =>
  `/apis/${apiVersionOf(entryOf(kind))}/namespaces/default/${entryOf(kind).plural}`;
const pathOf = (object: BrokenObject): string => `${collectionOf(object)}/${object.name}`;

const finalizer = "test.example.com/held";
const whole = ({ kind, name, spec }: BrokenObject, called = name): string =>
  JSON.stringify({
    apiVersion: apiVersionOf(entryOf(kind)),
    kind,
    metadata: { name: called, finalizers: [finalizer] },
    ...(spec !== undefined && { spec }),
  });

const create = (object: BrokenObject, called = object.name, query = "") =>
  controlPlane.api.send({
    method: "POST",
    path: `${collectionOf(object)}${query}`,
    contentType: "application/json",
    body: whole(object, called),
  });

const patch = async (path: string, change: JsonObject): Promise<{ readonly status: number; readonly body: string }> =>
  controlPlane.api.send({
    method: "PATCH",
    path,
    contentType: "application/merge-patch+json",
    body: JSON.stringify(change),
  });

/** The answer's status; what the server said when it is a refusal. */
const verdict = ({ status, body }: { readonly status: number; readonly body: string }): string =>
  status < 300 ? "accepted" : body;

const kinds = [...new Set(brokenObjects.map(({ kind }) => kind))];

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: false });
  const definitions = kinds.map((kind) => crd(entryOf(kind)));
  await applyCrds(
    controlPlane.api,
    // The one cast: the copy has everything but rules.
    definitions.map((definition) => withoutRules(definition) as unknown as typeof definition),
  );
  for (const object of brokenObjects) expect(verdict(await create(object)), object.name).toBe("accepted");
  await applyCrds(controlPlane.api, definitions);
  await installPolicies(controlPlane.api);
});
afterAll(() => controlPlane?.stop());

describe.each(brokenObjects)("$kind $name", (object) => {
  it("could not be made today", async () => {
    await expect
      .poll(async () => (await create(object, "another", "?dryRun=All")).status, { timeout: 30_000 })
      .toBe(422);
  });

  it("takes labels, annotations and finalizers", async () => {
    const metadata = { labels: { a: "b" }, annotations: { c: "d" }, finalizers: [finalizer, "test.example.com/more"] };
    expect(verdict(await patch(pathOf(object), { metadata }))).toBe("accepted");
    expect(verdict(await patch(pathOf(object), { metadata: { finalizers: [finalizer] } }))).toBe("accepted");
  });

  if (entryOf(object.kind).statusSubresource)
    it("takes a status", async () =>
      expect(verdict(await patch(`${pathOf(object)}/status`, { status: { conditions: [] } }))).toBe("accepted"));

  it.each(object.elsewhere)("takes a change elsewhere: %j", async (change) =>
    expect(verdict(await patch(pathOf(object), { spec: change }))).toBe("accepted"),
  );

  it.each(object.mended)("takes what is right: %j", async (change) =>
    expect(verdict(await patch(pathOf(object), { spec: change }))).toBe("accepted"),
  );

  it.each(object.worse)("takes nothing else that is wrong: %j", async (change) =>
    expect((await patch(pathOf(object), { spec: change })).status).toBe(422),
  );

  it("goes", async () => {
    await controlPlane.api.send({ method: "DELETE", path: pathOf(object) });
    expect(verdict(await patch(pathOf(object), { metadata: { finalizers: null } }))).toBe("accepted");
    expect((await controlPlane.api.send({ path: pathOf(object) })).status).toBe(404);
  });
});
