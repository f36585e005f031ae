import { beforeAll, describe, expect, it } from "vitest";
import { annotations } from "../../../src/core/annotations.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { annotate, apply, azureCluster, blockedBy, conditionOf, editSpec, settled } from "../../support/e2e/objects.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { clusterTree, type TreeLine } from "./clusterTree.ts";

const place: Place = { namespace: "shown", name: "shown" };
const subscription = "00000000-0000-4000-8000-0000000000aa";
const gateways = "Microsoft.Network/natGateways";
const subnets = [
  { name: "control-plane-subnet", role: "control-plane" },
  { name: "node-subnet", role: "node" },
];
const all = ["--show-conditions", "all"] as const;

/** The line of the AzureCluster, and below it those of its conditions. */
const ofObject = (lines: readonly TreeLine[]): readonly TreeLine[] =>
  lines.slice(lines.findIndex(({ name }) => name.startsWith("AzureCluster ")));
const line = (lines: readonly TreeLine[], name: string): TreeLine | undefined =>
  ofObject(lines).find((one) => one.name === name);

/** What `clusterctl describe cluster` shows of a cluster on its way. */
export const treeScenarios = (scene: () => Scene): void => {
  describe("the tree of a cluster", () => {
    beforeAll(async () => {
      await scene().stack.azure.configure({ latency: { types: { [gateways]: { put: 300_000 } } } });
      await apply(scene(), everything(place, { subscriptionID: subscription, networkSpec: { subnets } }));
    });
    const tree = (...options: readonly string[]): Promise<readonly TreeLine[]> =>
      clusterTree(scene(), place, ...options);

    it("says what is being made, and what is not yet done", async () => {
      await eventually("the gateway is being made", async () => {
        const { status } = await azureCluster(scene(), place);
        return (
          conditionOf({ status }, "NATGatewaysReady") !== undefined &&
          conditionOf({ status }, "NetworkInfrastructureReady")?.["message"] ===
            "not yet done: natGateways, subnets, loadBalancers"
        );
      });
      const [object] = ofObject(await tree());
      expect(object).toMatchObject({ name: "AzureCluster shown/shown", status: "False", reason: "Creating" });
      const lines = await tree(...all);
      expect(line(lines, "NATGatewaysReady")).toMatchObject({
        status: "False",
        reason: "Creating",
        message: "natgateways creating or updating",
      });
      expect(line(lines, "NetworkInfrastructureReady")?.message).toBe(
        "not yet done: natGateways, subnets, loadBalancers",
      );
      expect(line(lines, "VNetReady")).toMatchObject({ status: "True" });
    });

    it("says that it is ready", async () => {
      await scene().stack.azure.configure({ latency: 0 });
      await scene().stack.azure.finishOperations();
      await settled(scene(), place);
      const [object] = ofObject(await tree());
      expect(object).toMatchObject({ name: "AzureCluster shown/shown", status: "True", message: "" });
      const conditions = ofObject(await tree(...all)).slice(1);
      expect(new Set(conditions.map(({ status }) => status))).toEqual(new Set(["True"]));
      expect(conditions.map(({ name }) => name)).toContain("LoadBalancersReady");
    });

    it("says what is broken in Azure's words, what to do about it, and when it is tried again", async () => {
      const code = "PublicIPCountLimitReached";
      const message = "Cannot create more than 20 public IP addresses for this subscription in this region.";
      await scene().stack.azure.setFaults([
        {
          match: { method: "PUT", path: "/publicIPAddresses/pip-shown-node-natgw-2", times: 1_000 },
          fault: { kind: "respond", status: 400, code, message },
        },
      ]);
      await editSpec(scene(), place, { networkSpec: { subnets: [...subnets, { name: "more", role: "node" }] } });
      await blockedBy(scene(), place, "Failed");
      const [object] = ofObject(await tree());
      expect(object).toMatchObject({ status: "False", reason: "Failed" });
      for (const part of ["publicIps: ", code, message, "Ask for a higher limit", "Tried again within an hour."])
        expect(object?.message).toContain(part);
      const lines = await tree(...all);
      expect(line(lines, "PublicIPsReady")).toMatchObject({
        status: "False",
        reason: "Failed",
        message: expect.stringContaining(`publicips failed to create or update. err: ${code}`),
      });
      expect(line(lines, "LoadBalancersReady")).toMatchObject({ status: "True" });
      await scene().stack.azure.setFaults([]);
      await annotate(scene(), "azurecluster", place, `${annotations.retry}=fixed`);
      await settled(scene(), place);
    });
  });
};
