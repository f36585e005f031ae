import { describe, expect, it } from "vitest";
import { namesOf, requestCount, requestsOf, writeLines, writesOf } from "../../support/e2e/azureLog.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { apply, azureCluster, find, gone, rowsOf, settled, startDeleting } from "../../support/e2e/objects.ts";
import { idle } from "../../support/e2e/queue.ts";
import type { Scene } from "../../support/e2e/scene.ts";

const groupOf = ({ namespace, name }: Place): string => `${namespace}-${name}`;

const forgotten = (scene: Scene, place: Place): Promise<unknown> =>
  eventually("the tables have forgotten it", async () => (await rowsOf(scene, place)).length === 0);

/** Deletions, and what they must leave alone. */
export const endingScenarios = (scene: () => Scene): void => {
  describe.concurrent("deletion", () => {
    it("takes one of two clusters of the same name, and does not touch the other", async () => {
      const [left, right] = [
        { namespace: "left", name: "twin" },
        { namespace: "right", name: "twin" },
      ] as const;
      await apply(scene(), [...everything(left), ...everything(right)]);
      await settled(scene(), left);
      await settled(scene(), right);
      expect(await namesOf(scene(), groupOf(left))).toHaveLength(11);
      const names = await namesOf(scene(), groupOf(right));
      expect(names).toHaveLength(11);
      await idle(scene());
      const before = await requestCount(scene());
      const { resourceVersion } = (await azureCluster(scene(), right)).metadata;

      await startDeleting(scene(), "cluster", left);
      await gone(scene(), "Cluster", left);
      await forgotten(scene(), left);
      expect(await namesOf(scene(), groupOf(left))).toEqual([]);
      expect(await namesOf(scene(), groupOf(right))).toEqual(names);
      expect(await requestsOf(scene(), groupOf(right), before)).toEqual([]);
      expect((await azureCluster(scene(), right)).metadata.resourceVersion).toBe(resourceVersion);
    });

    it("overtakes a creation that has not come to its end", async () => {
      const place: Place = { namespace: "hasty", name: "hasty" };
      const group = groupOf(place);
      await scene().stack.azure.configure({ latency: { types: { "Microsoft.Network/natGateways": { put: 6_000 } } } });
      await apply(scene(), everything(place));
      await eventually("the NAT gateway is being made", async () =>
        (await writesOf(scene(), group)).some(({ path }) => path.includes("/natGateways/")),
      );
      await startDeleting(scene(), "cluster", place);
      await gone(scene(), "Cluster", place);
      await gone(scene(), "AzureCluster", place);
      await forgotten(scene(), place);
      expect(await namesOf(scene(), group)).toEqual([]);
      const lines = await writeLines(scene(), group);
      const firstDelete = lines.findIndex((line) => line.startsWith("DELETE"));
      expect(lines.slice(firstDelete).filter((line) => line.startsWith("PUT"))).toEqual([]);
      await scene().stack.azure.configure({ latency: 0 });
    });

    it("of the AzureCluster alone takes its resources, and the Cluster stays", async () => {
      const place: Place = { namespace: "alone", name: "alone" };
      await apply(scene(), everything(place));
      await settled(scene(), place);
      await startDeleting(scene(), "azurecluster", place);
      await gone(scene(), "AzureCluster", place);
      await forgotten(scene(), place);
      expect(await namesOf(scene(), groupOf(place))).toEqual([]);
      expect((await find(scene(), "Cluster", place))?.metadata.deletionTimestamp).toBeUndefined();
      await startDeleting(scene(), "cluster", place);
      await gone(scene(), "Cluster", place);
    });
  });
};
