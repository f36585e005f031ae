import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { infrastructureKinds, kindEntry } from "../../src/api/registry.ts";
import { parseManifest } from "../../src/cli/manifest.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { type KubeObject, parseObjects } from "../../src/sim/controlPlane/kubeObject.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";
import { type AnObject, create, patch, patchStatus, read, remove, replace, storedIn } from "../support/apiObjects.ts";
import { contractTemplates } from "../support/contractTemplates.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

/** Objects that Cluster API Provider Azure left behind, under its definitions first and under ours afterwards. */

const isOurs = ({ apiVersion, kind }: AnObject): boolean =>
  kindEntry(kind) !== undefined && apiVersion.startsWith("infrastructure.cluster.x-k8s.io/");

const inNamespace = (object: AnObject, namespace: string): AnObject => {
  const { ownerReferences: _, generation: __, ...metadata } = object.body["metadata"] as JsonObject;
  return { ...object, namespace, body: { ...object.body, metadata: { ...metadata, namespace } } };
};

const recordings = (): readonly string[] =>
  readdirSync(join(sharedDir, "contract", "recordings"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

const recorded = (recording: string, file: string): readonly AnObject[] => {
  const path = join(sharedDir, "contract", "recordings", recording, file);
  return parseManifest(readFileSync(path, "utf8"), path)
    .filter(isOurs)
    .map((object) => inNamespace(object, recording));
};

const hasTags = (kind: string): boolean =>
  ["AzureCluster", "AzureMachine", "AzureMachinePool", "AzureManagedControlPlane", "AzureManagedMachinePool"].includes(
    kind,
  );

/** What controllers, not webhooks, wrote into a spec; `kubectl apply` leaves it. */
const byControllers = (spec: JsonObject): JsonObject =>
  Object.fromEntries(
    ["controlPlaneEndpoint", "networkInterfaces", "providerID", "providerIDList", "subnetName"].flatMap((field) =>
      spec[field] === undefined ? [] : [[field, spec[field]]],
    ),
  );

/** The one template that lacks a required field; a webhook wrote it empty. */
const asAdmitted = (object: AnObject): AnObject => {
  if (object.kind !== "AzureManagedControlPlaneTemplate") return object;
  const { template } = object.body["spec"] as { readonly template: { readonly spec: JsonObject } };
  const spec = { template: { spec: { resourceGroupName: "", ...template.spec } } };
  return { ...object, body: { ...object.body, spec } };
};

/** A field of AzureCluster that some release had and no longer has. */
const withFormerField = (definition: KubeObject): KubeObject => {
  if (!definition.metadata.name.startsWith("azureclusters.")) return definition;
  // A copy of JSON, to be changed.
  const copy = structuredClone(definition) as KubeObject & { readonly spec: CrdSpec };
  for (const { schema } of copy.spec.versions)
    schema.openAPIV3Schema.properties.spec.properties["formerField"] = { type: "string" };
  return copy;
};
interface CrdSpec {
  readonly versions: readonly {
    readonly schema: {
      readonly openAPIV3Schema: {
        readonly properties: { readonly spec: { readonly properties: Record<string, unknown> } };
      };
    };
  }[];
}
const former: AnObject = {
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind: "AzureCluster",
  name: "former",
  namespace: "unknown",
  body: {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureCluster",
    metadata: { name: "former" },
    spec: { location: "westeurope", formerField: "kept" },
  },
};

describeWithShared("an upgrade from Cluster API Provider Azure", () => {
  let controlPlane: ControlPlane;
  /** After webhooks of version 1.9.8, with status and finalizers. */
  const reconciled = recordings().flatMap((recording) => recorded(recording, "status.yaml"));
  const manifests = recordings().flatMap((recording) => recorded(recording, "manifest.yaml"));
  const fromTemplates = contractTemplates()
    .flatMap(({ objects }) => objects)
    .filter(isOurs)
    .map((object) => asAdmitted(inNamespace(object, "templates")));
  const before = new Map<AnObject, JsonObject>();

  const content = async (object: AnObject): Promise<JsonObject> => {
    const { metadata, ...rest } = await read(controlPlane.api, object);
    const { managedFields: _, resourceVersion: __, ...kept } = metadata;
    // The one cast: it came as JSON.
    return { ...rest, metadata: kept } as JsonObject;
  };

  const store = async (object: AnObject): Promise<void> => {
    storedIn(await create(controlPlane.api, object));
    const status = object.body["status"] as JsonObject | undefined;
    if (status !== undefined) storedIn(await patchStatus(controlPlane.api, object, status));
    before.set(object, await content(object));
  };

  beforeAll(async () => {
    controlPlane = await startControlPlane({ controllerManager: false });
    const folder = join(sharedDir, "contract", "crds");
    const crds = readdirSync(folder).flatMap((file) => parseObjects(readFileSync(join(folder, file), "utf8"), file));
    await applyCrds(controlPlane.api, crds.map(withFormerField));
    for (const name of ["templates", "unknown", ...recordings()])
      await controlPlane.api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    for (const object of [...reconciled, ...fromTemplates]) await store(object);
    storedIn(await create(controlPlane.api, former));
    expect((await read(controlPlane.api, former))["spec"]).toMatchObject({ formerField: "kept" });
    await applyCrds(
      controlPlane.api,
      infrastructureKinds.map((entry) => crd(entry)),
    );
    await installPolicies(controlPlane.api);
  });
  afterAll(() => controlPlane?.stop());

  const stored = [...reconciled, ...fromTemplates].map((object) => ({
    object,
    title: `${object.kind} ${object.namespace}/${object.name}`,
  }));

  it("drops, as Kubernetes does, what no definition knows any more, and is content with the rest", async () => {
    const { spec } = await read(controlPlane.api, former);
    expect(spec).toMatchObject({ location: "westeurope" });
    expect(spec).not.toHaveProperty("formerField");
    storedIn(await patch(controlPlane.api, former, { spec: { additionalTags: { upgraded: "yes" } } }));
  });

  it.each(stored)("leaves $title as it is", async ({ object }) =>
    expect(await content(object)).toEqual(before.get(object)),
  );

  it.each(stored)("lets $title be labelled, and its status told again", async ({ object }) => {
    const { generation } = (await read(controlPlane.api, object)).metadata;
    const labelled = storedIn(await patch(controlPlane.api, object, { metadata: { labels: { upgraded: "yes" } } }));
    expect(labelled.metadata.generation).toBe(generation);
    const status = object.body["status"] as JsonObject | undefined;
    if (status !== undefined) storedIn(await patchStatus(controlPlane.api, object, { ...status, upgraded: null }));
  });

  const tagged = stored.filter(({ object }) => hasTags(object.kind));
  it.each(tagged)("lets the tags of $title change", async ({ object }) => {
    storedIn(await patch(controlPlane.api, object, { spec: { additionalTags: { upgraded: "yes" } } }));
  });

  it.each(
    manifests
      .filter(({ kind }) => kind !== "AzureClusterIdentity")
      .map((object) => ({ object, title: `${object.kind} ${object.namespace}/${object.name}` })),
  )("lets the user's manifest of $title replace it, without what webhooks once filled in", async ({ object }) => {
    const stored = await read(controlPlane.api, object);
    const { resourceVersion, finalizers = [] } = stored.metadata;
    const whole = {
      ...(object.body["metadata"] as JsonObject),
      resourceVersion,
      finalizers: finalizers as JsonObject[],
    };
    const spec = { ...(object.body["spec"] as JsonObject), ...byControllers(stored["spec"] as JsonObject) };
    const answer = await replace(controlPlane.api, { ...object, body: { ...object.body, metadata: whole, spec } });
    expect(answer.status < 300 ? "" : answer.body).toBe("");
  });

  it.each(stored)("lets $title be finalized and deleted", async ({ object }) => {
    await remove(controlPlane.api, object);
    await patch(controlPlane.api, object, { metadata: { finalizers: null } });
    await expect(read(controlPlane.api, object)).rejects.toThrow("404");
  });
});
