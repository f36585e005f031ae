import { textAt } from "../../../src/api/json.ts";
import type { JsonObject, ObjectKey } from "../../../src/core/types.ts";
import { zonesOf } from "../../../src/sim/arm/catalogue/regions.ts";
import type { UserObject } from "../../../src/sim/memory/memoryObjects.ts";
import { childrenOf } from "../../e2e/modes/children.ts";
import { azureClusterOf, clusterOf, identityOf } from "../../e2e/modes/manifests.ts";
import { type Mode, madeOf, objectName, seedsOf, shortOf } from "../../e2e/modes/mode.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import { seed } from "../../support/defaultCluster.ts";
import { createWorld, type World } from "../../support/world.ts";

// The one cast: manifests are objects as users write them.
const asObject = (manifest: JsonObject): UserObject => manifest as unknown as UserObject;

export const keyOf = (mode: Mode): ObjectKey => ({
  kind: "AzureCluster",
  namespace: mode.name,
  name: objectName(mode),
});

/** A world with what others have in Azure, and the objects of a mode; Cluster API has set the owner. Nothing has run. */
export const worldOf = (mode: Mode): World => {
  const world = createWorld();
  world.faults.zones = zonesOf;
  seed(world, ...seedsOf(mode));
  const { objects } = world;
  objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: mode.name } });
  objects.put(asObject(identityOf(mode)));
  const cluster = objects.put(asObject(clusterOf(mode)));
  const { apiVersion, kind, metadata, ...rest } = asObject(azureClusterOf(mode));
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: mode.name, uid: cluster.metadata.uid };
  objects.put({ apiVersion, kind, metadata: { ...metadata, ownerReferences: [owner] }, ...rest });
  return world;
};

/** Somebody changes the spec by a merge patch. */
export const editSpec = (world: World, mode: Mode, patch: JsonObject): void =>
  void world.objects.edit(keyOf(mode), (object) => ({ ...object, spec: patched(object.spec, patch) }));

/** All that is in Azure, parts of networks too, by its short name in lower case. */
export const azureOf = (world: World): ReadonlyMap<string, JsonObject> =>
  new Map(
    [...world.arm.resources]
      .map(([id, { body }]) => [id, body as JsonObject] as const)
      .flatMap(([id, body]) => [
        [shortOf(id), body] as const,
        ...childrenOf(body).map((child) => [shortOf(textAt(child, "id") ?? ""), child] as const),
      ]),
  );

/** What is there beside what others had before. */
export const madeIn = (world: World, mode: Mode): readonly string[] => madeOf(mode, [...azureOf(world).keys()]);
