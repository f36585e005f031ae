import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { isJsonObject } from "../../src/wire/json.ts";
import { readRecording, recordingDir } from "../kinds/manifest.ts";
import { seed } from "./defaultCluster.ts";
import { createWorld, type World } from "./world.ts";

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
export const modern = (resource: JsonObject): JsonObject => {
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
export const leftByUpstream = (recording: string, as: (resource: JsonObject) => JsonObject): World => {
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

/** Recordings of self-managed clusters in networks of their own. */
export const selfManaged: readonly string[] = [
  "default",
  "private",
  "ipv6",
  "multi-frontend",
  "azure-bastion",
  "vnet-peering",
  "machinepool",
  "spot",
  "data-disks",
  "windows",
];
