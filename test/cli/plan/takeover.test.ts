import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verdictOn } from "../../../src/cli/operate/checkAdoption.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { isJsonObject } from "../../../src/wire/json.ts";
import { readRecording, recordingDir } from "../../kinds/manifest.ts";
import { seed } from "../../support/defaultCluster.ts";
import { describeWithShared } from "../../support/shared.ts";
import { createWorld, type World } from "../../support/world.ts";
import { formProblems } from "./planForm.ts";
import { planIn, writesIn } from "./planning.ts";

const inRecording = (recording: string, file: string): readonly JsonObject[] =>
  JSON.parse(readFileSync(join(recordingDir(recording), file), "utf8")) as readonly JsonObject[];

const objectAt = (value: JsonObject, name: string): JsonObject => {
  const found = value[name];
  return isJsonObject(found) ? found : {};
};
const listAt = (value: JsonObject, name: string): readonly JsonObject[] => {
  const found = value[name];
  return Array.isArray(found) ? (found as readonly Json[]).filter(isJsonObject) : [];
};

/** Later releases probe /readyz, by a probe of another name. */
const withReadyz = (probe: JsonObject): JsonObject => ({
  ...probe,
  name: "HTTPSProbe",
  properties: { ...objectAt(probe, "properties"), protocol: "Https", requestPath: "/readyz" },
});

/** Later releases give the control plane the route table of the nodes. */
const withRouteTables = (subnets: readonly JsonObject[]): readonly JsonObject[] => {
  const shared = subnets.map((one) => objectAt(one, "properties")["routeTable"]).find((one) => one !== undefined);
  return subnets.map((one) => {
    const properties = objectAt(one, "properties");
    const isOurs = !JSON.stringify(one["name"] ?? "").includes("AzureBastion");
    return isOurs && shared !== undefined ? { ...one, properties: { routeTable: shared, ...properties } } : one;
  });
};

/** What the recorded release left behind, as a later one would have made it. */
const modern = (resource: JsonObject): JsonObject => {
  const text = JSON.stringify(resource).replaceAll(/\/probes\/\w+/g, "/probes/HTTPSProbe");
  const renamed = JSON.parse(text) as JsonObject;
  const properties = objectAt(renamed, "properties");
  return {
    ...renamed,
    properties: {
      ...properties,
      ...("probes" in properties && { probes: listAt(properties, "probes").map(withReadyz) }),
      ...("subnets" in properties && { subnets: withRouteTables(listAt(properties, "subnets")) }),
    },
  };
};

/** A subscription as upstream left it, and its objects as upstream stored them. */
const leftByUpstream = (recording: string, as: (resource: JsonObject) => JsonObject): World => {
  const world = createWorld();
  world.restless = "nobody rings for what upstream left behind";
  seed(world, ...inRecording(recording, "resources.json").map(as));
  world.objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: recording } });
  world.objects.putSecret(recording, "sp-secret", { clientSecret: "s3cret" });
  world.holdDoorbells();
  for (const object of [...readRecording(recording, "manifest.yaml"), ...readRecording(recording, "status.yaml")]) {
    if (!/^(Cluster|AzureCluster|AzureClusterIdentity)$/.test(object.kind)) continue;
    const { apiVersion, kind, metadata, spec, status } = object;
    const { name, namespace, labels, annotations, ownerReferences, finalizers } = metadata;
    world.objects.put({
      apiVersion,
      kind,
      metadata: { name, namespace, labels, annotations, ownerReferences, finalizers },
      spec,
      status,
    });
  }
  return world;
};

const recordings = [
  "default",
  "private",
  "ipv6",
  "multi-frontend",
  "azure-bastion",
  "vnet-peering",
  "machinepool",
  "spot",
];
const planOf = (recording: string, as: (resource: JsonObject) => JsonObject) =>
  planIn(leftByUpstream(recording, as), {}, { kind: "AzureCluster", namespace: recording, name: recording });

describeWithShared("a cluster that upstream made, on first sight", () => {
  it.each(recordings)("%s: taking over changes nothing", async (recording) => {
    const planned = await planOf(recording, modern);
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(writesIn(planned)).toEqual([]);
    expect(planned.plan.steps.length).toBeGreaterThan(8);
    expect(verdictOn(planned)).toBe(`AzureCluster ${recording}/${recording}: empty: taking over changes nothing`);
  });

  it.each(recordings)("%s: of an old release changes only what later ones changed too", async (recording) => {
    const planned = await planOf(recording, (resource) => resource);
    const changes = planned.plan.steps.flatMap((step) => step.changes.map(({ path }) => path));
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.filter((path) => !/probe|routeTable/i.test(path))).toEqual([]);
    expect(verdictOn(planned)).toContain("not empty");
  });
});
