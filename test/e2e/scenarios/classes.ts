import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "../../../src/core/types.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import type { Place } from "../../support/e2e/manifests.ts";
import { azureCluster, settled } from "../../support/e2e/objects.ts";
import type { Scene } from "../../support/e2e/scene.ts";

const example = join(import.meta.dirname, "..", "..", "..", "examples", "clusterclass-selfmanaged.yaml");
const looks = 5;
const betweenLooksMs = 4_000;

/** Capstan and the topology controller write the same AzureCluster: one its spec, the other endpoint, finalizer and status. */
export const classScenarios = (scene: () => Scene): void => {
  describe("a cluster of a class", () => {
    let place: Place;
    let made: KubeObject;
    const kubectl = (...args: readonly string[]): Promise<string> => scene().stack.kubectl(args);
    beforeAll(async () => {
      await scene().stack.kubectl(["apply", "-f", "-"], await readFile(example, "utf8"));
      const ofClass = ["get", "azureclusters", "-l=cluster.x-k8s.io/cluster-name=classy"];
      const name = await eventually(
        "the class makes an AzureCluster",
        async () => (await kubectl(...ofClass, "-o=jsonpath={.items[*].metadata.name}")) || undefined,
      );
      place = { namespace: "default", name };
      made = await settled(scene(), place);
    });

    it("has an endpoint and a finalizer of ours beside what the class says", () => {
      expect(made.metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
      expect(made.spec).toMatchObject({
        location: "westeurope",
        controlPlaneEndpoint: { port: 6443 },
        networkSpec: { subnets: [{ name: "control-plane-subnet" }, { name: "node-subnet" }] },
      });
    });

    it("is written by neither once it is ready, however often the topology is looked at", async () => {
      const before = await azureCluster(scene(), place);
      for (let look = 0; look < looks; look += 1) {
        await kubectl("annotate", "--overwrite", "cluster", "classy", `example.com/looked=${look}`);
        await sleep(betweenLooksMs);
      }
      expect((await azureCluster(scene(), place)).metadata).toEqual(before.metadata);
      const path = '{.status.conditions[?(@.type=="TopologyReconciled")].status}';
      expect(await kubectl("get", "cluster", "classy", `-o=jsonpath=${path}`)).toBe("True");
    });
  });
};
