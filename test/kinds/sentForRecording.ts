import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "../../src/core/types.ts";
import { seed } from "../support/defaultCluster.ts";
import { createWorld } from "../support/world.ts";
import { readRecording, recordingDir } from "./manifest.ts";

/** One request as the tool for comparisons reads it. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const seeds = (recording: string): readonly JsonObject[] => {
  const text = readFileSync(join(recordingDir(recording), "precreated.json"), "utf8");
  const requests = JSON.parse(text) as readonly { readonly path: string; readonly body: JsonObject }[];
  return requests.map(({ path, body }) => ({ id: path.split("?")[0] ?? "", ...body }));
};

const clusterKinds = new Set(["AzureClusterIdentity", "Cluster", "AzureCluster"]);

/** What a whole life of a recorded cluster sends beside the resources that were there before it. */
export const sentForRecording = async (recording: string): Promise<readonly SentRequest[]> => {
  const world = createWorld();
  seed(world, ...seeds(recording));
  world.objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: recording } });
  world.objects.putSecret(recording, "sp-secret", { clientSecret: "s3cret" });
  const objects = readRecording(recording, "manifest.yaml").filter(({ kind }) => clusterKinds.has(kind));
  for (const { apiVersion, kind, metadata, spec } of objects) {
    const { name, namespace, labels, ownerReferences } = metadata;
    world.objects.put({ apiVersion, kind, metadata: { name, namespace, labels, ownerReferences }, spec });
  }
  await world.run(60 * 60_000);
  return world.arm.requests
    .filter(({ method }) => method === "PUT")
    .map(({ method, path, body }) => ({ method, path: path.split("?")[0] ?? "", body }));
};
