import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { idKey } from "../../src/core/ids.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { clusterServices } from "../../src/services/index.ts";
import { apiVersions } from "../../src/wire/generated/apiVersions.ts";
import { scopeIn } from "../kinds/aCluster.ts";
import { armFindings } from "../support/armValidate.ts";
import { key, seed } from "../support/defaultCluster.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";
import { applyDefaultCluster, conditionsOf, createWorld } from "../support/world.ts";
import { type FeatureGolden, featureGoldens, objectOf, turnInputOf } from "./featureGolden.ts";

const scopeOf = (golden: FeatureGolden) => {
  const scope = scopeIn(turnInputOf(golden));
  if (!scope.ok) throw new Error(scope.error.map(({ message }) => message).join("\n"));
  return scope.value;
};

const wantedBy = (golden: FeatureGolden) => {
  const scope = scopeOf(golden);
  return clusterServices.flatMap(({ type, desired }) => desired(scope).map((one) => ({ type, ...one })));
};

const byPath = (a: readonly string[], b: readonly string[]): number => (a.join() < b.join() ? -1 : 1);
const title = ({ file, feature }: FeatureGolden): string => `${feature} (${file})`;
const cases = featureGoldens.map((golden) => [title(golden), golden] as const);
const alone = cases.filter(([, { existing }]) => existing === undefined);
const beside = cases.filter(([, { existing }]) => existing !== undefined);

describe.each(alone)("%s", (_, golden) => {
  const wanted = wantedBy(golden);
  const found = (id: string) => wanted.find((one) => one.id === id);

  it.each(golden.desired)("wants $id as the fact sheet has it", ({ id, body, defaults }) => {
    expect(found(id)?.body).toEqual(body);
    expect(found(id)?.defaults.toSorted(byPath)).toEqual(defaults.toSorted(byPath));
  });
  if (golden.wanted !== undefined)
    it("wants nothing else", () => expect(wanted.map(({ id }) => id).toSorted()).toEqual(golden.wanted?.toSorted()));
  for (const id of golden.unwanted ?? []) it(`does not want ${id}`, () => expect(found(id)).toBeUndefined());
  it("says where the API server is and where its machines may be", () => {
    const scope = scopeOf(golden);
    expect(scope).toMatchObject({
      ...(golden.endpoint !== undefined && { controlPlaneEndpoint: golden.endpoint }),
      ...golden.target,
    });
    if (golden.failureDomains !== undefined) expect(scope.failureDomains ?? {}).toEqual(golden.failureDomains);
  });
});

/** What is sent for the feature while the resources that it is about are there already. */
const sentBeside = async (golden: FeatureGolden) => {
  const world = createWorld();
  seed(world, ...(golden.existing ?? []));
  applyDefaultCluster(world);
  const { spec } = objectOf(golden);
  const asked: JsonObject = "resourceGroup" in spec ? spec : { ...spec, resourceGroup: "c1" };
  world.objects.edit(key, (object) => ({ ...object, spec: asked }));
  await world.run(60 * 60_000);
  const ready = conditionsOf(world.objects.find(key))["Ready"];
  return { ready, sent: world.arm.requests.filter(({ method }) => method !== "GET") };
};

describe.each(beside)("%s", (_, golden) => {
  it("sends what the fact sheet has, and nothing to what was there before", async () => {
    const { ready, sent } = await sentBeside(golden);
    expect(ready).toMatchObject({ status: "True" });
    const bodies = new Map(sent.map(({ path, body }) => [idKey(path.split("?")[0] ?? ""), body]));
    for (const { id, body } of golden.desired) expect(bodies.get(idKey(id)), id).toEqual(body);
    expect((golden.untouched ?? []).filter((id) => bodies.has(idKey(id)))).toEqual([]);
  });
});

describe("the files of features", () => {
  it.each(cases)("%s: says where it was taken from, and wants something", (_, { source, desired }) => {
    expect(source).toMatch(/^fact sheet \d/);
    expect(desired.length).toBeGreaterThan(0);
  });
});

describeWithShared("the fact sheet's table of features", () => {
  const sheet = readFileSync(join(sharedDir, "reference", "capz-cluster.md"), "utf8");
  const section = (number: string): string =>
    sheet.split(new RegExp(`^#+ ${number}[. ]`, "m"))[1]?.split(/^#+ \d/m)[0] ?? "";
  const rowsOf = (number: string): readonly (readonly string[])[] =>
    section(number)
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .slice(2)
      .map((line) => line.split("|").map((cell) => cell.trim()));
  const covered = new Set(featureGoldens.map(({ feature }) => feature));

  it.each(rowsOf("11").map((row) => row[1] ?? ""))("has a file for %s", (row) => expect(covered).toContain(row));
  it("is read whole", () => expect(rowsOf("11").length).toBeGreaterThanOrEqual(42));
  it.each(rowsOf("6.7").map((row) => `6.7: ${row[1]}, ${row[2]}`))("has a file for the mode %s", (mode) =>
    expect(covered).toContain(mode),
  );
  it.each(["13.1", "13.2", "13.3"])("has a file for the example %s", (example) => expect(covered).toContain(example));

  const typeOf = new Map(featureGoldens.flatMap(wantedBy).map(({ id, type }) => [id, type]));
  it.each(cases)("%s: Azure's published schemas allow every body", async (_, { desired }) => {
    const requests = desired.map(({ id, body }) => ({
      method: "PUT",
      path: id,
      apiVersion: (apiVersions as Readonly<Record<string, string>>)[typeOf.get(id) ?? ""] ?? "",
      body,
    }));
    expect(await armFindings(requests)).toEqual([]);
  });
});
