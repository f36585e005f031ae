import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { kindEntry } from "../../src/api/registry.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import type { Refused } from "../engine/edits/editCase.ts";
import { standingCluster } from "../engine/edits/editedWorld.ts";
import { refusedEdits } from "../engine/edits/refusedEdits.ts";
import { type AdmissionServer, admissionServer } from "../support/admission/admissionServer.ts";
import { key } from "../support/defaultCluster.ts";

const namespace = "edits";
let controlPlane: ControlPlane;
let server: AdmissionServer;
beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: false });
  await applyCrds(controlPlane.api, [crd(kindEntry("AzureCluster")!)]);
  await controlPlane.api.apply("/api/v1/namespaces", {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace },
  });
  server = admissionServer(controlPlane.api, "AzureCluster", namespace);
});
afterAll(() => controlPlane?.stop());

/** The cluster of a case as it stands: its spec with what Capstan wrote there, and the status. */
const standing = async ({ from }: Refused): Promise<JsonObject> => {
  const object = (await standingCluster(from)).objects.find(key);
  if (object === undefined) throw new Error("no cluster");
  return { metadata: { name: object.metadata.name }, spec: object.spec, status: object.status };
};

describe("the API server refuses", () => {
  it.each(refusedEdits.map((one) => [one.title, one] as const))("%s", async (_, one) => {
    const { causes, status } = await server.judgeUpdate(await standing(one), { spec: one.edit });
    expect(status).toBe(422);
    expect(causes).toContainEqual({ field: `spec.${one.field}`, message: expect.stringContaining(one.says) });
  });
});
