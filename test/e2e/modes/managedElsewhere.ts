import { beforeAll, describe, expect, it } from "vitest";
import { annotations } from "../../../src/core/annotations.ts";
import { requestCount, requestsOf } from "../../support/e2e/azureLog.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { apply, azureCluster, find, gone, rowsOf, startDeleting } from "../../support/e2e/objects.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { allQuiet } from "../../support/e2e/sentinel.ts";

const place: Place = { namespace: "foreign", name: "foreign" };

/** An AzureCluster whose infrastructure another controller manages (Cluster API's externally managed infrastructure). */
export const managedElsewhereScenarios = (scene: () => Scene): void => {
  describe("infrastructure that others manage", () => {
    beforeAll(async () => {
      await apply(
        scene(),
        everything(place).map((object) =>
          object["kind"] === "AzureCluster"
            ? { ...object, metadata: { ...place, annotations: { [annotations.managedBy]: "terraform" } } }
            : object,
        ),
      );
      await eventually(
        "Cluster API has set the owner",
        async () => ((await find(scene(), "AzureCluster", place))?.metadata.ownerReferences ?? []).length > 0,
      );
      await allQuiet(scene(), "foreign");
    });

    it("gets nothing of ours: no request, no finalizer, no annotation, no status, no row", async () => {
      const { metadata, status, spec } = await azureCluster(scene(), place);
      expect(metadata.finalizers).toEqual([]);
      expect(metadata.annotations).not.toHaveProperty([annotations.blockMove]);
      expect(status).toEqual({});
      expect(spec["controlPlaneEndpoint"]).toBeUndefined();
      expect(await requestsOf(scene(), "foreign-foreign")).toEqual([]);
      expect((await rowsOf(scene(), place)).filter(({ row }) => row.startsWith("resource~"))).toEqual([]);
    });

    it("is ready when the others say so", async () => {
      const said = { ready: true };
      const endpoint = { host: "api.others.example", port: 6443 };
      const patch = (body: object, ...options: readonly string[]) =>
        scene().stack.kubectl([
          "patch",
          "azurecluster",
          "-n",
          place.namespace,
          place.name,
          "--type=merge",
          ...options,
          "-p",
          JSON.stringify(body),
        ]);
      await patch({ spec: { controlPlaneEndpoint: endpoint } });
      await patch({ status: said }, "--subresource=status");
      await eventually("Cluster API takes note", async () => {
        const cluster = await find(scene(), "Cluster", place);
        return JSON.stringify(cluster?.spec["controlPlaneEndpoint"]) === JSON.stringify(endpoint);
      });
      await allQuiet(scene(), "foreign-ready");
      expect((await azureCluster(scene(), place)).status).toEqual(said);
    });

    it("goes without any work of ours", async () => {
      const before = await requestCount(scene());
      await startDeleting(scene(), "cluster", place);
      await gone(scene(), "Cluster", place);
      await gone(scene(), "AzureCluster", place);
      await allQuiet(scene(), "foreign-gone");
      expect(await requestsOf(scene(), "foreign-foreign", before)).toEqual([]);
    });
  });
};
