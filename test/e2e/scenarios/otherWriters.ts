import { beforeAll, describe, expect, it } from "vitest";
import { valueAt } from "../../../src/api/json.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { idIn, requestCount, requestsOf, resource, writeLines, writesOf } from "../../support/e2e/azureLog.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { apply, editSpec, settled } from "../../support/e2e/objects.ts";
import { idle } from "../../support/e2e/queue.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { turnsOf } from "../../support/e2e/turns.ts";

type Azure = Scene["stack"]["azure"];
const place: Place = { namespace: "shared", name: "shared" };
const group = "shared-shared";
const securityGroup = "networkSecurityGroups/shared-controlplane-nsg";
const put = `PUT ${securityGroup} 200`;

const ruleFrom = (source: string): JsonObject => ({
  name: "allow_office",
  description: "From the office",
  direction: "Inbound",
  priority: 300,
  protocol: "Tcp",
  source,
  sourcePorts: "*",
  destination: "*",
  destinationPorts: "443",
});
const networkFrom = (source: string): JsonObject => ({
  networkSpec: {
    vnet: { name: "shared-vnet" },
    subnets: [
      {
        name: "control-plane",
        role: "control-plane",
        securityGroup: { name: "shared-controlplane-nsg", securityRules: [ruleFrom(source)] },
      },
      { name: "node", role: "node" },
    ],
  },
});

const foreignRule: JsonObject = {
  name: "auditors",
  properties: {
    access: "Allow",
    direction: "Inbound",
    priority: 400,
    protocol: "Tcp",
    sourceAddressPrefix: "203.0.113.0/24",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "8443",
  },
};

// The one cast: Azure's own form.
const propertiesOf = (rule: JsonObject): JsonObject => rule["properties"] as JsonObject;

/** Users who edit, and others who write to the same resources in Azure. */
export const otherWriterScenarios = (scene: () => Scene): void => {
  describe("a network that others change too", () => {
    beforeAll(async () => {
      await apply(scene(), everything(place, networkFrom("192.0.2.0/24")));
      await settled(scene(), place);
      await idle(scene());
    });

    const rules = async (): Promise<readonly JsonObject[]> => {
      const list = valueAt(await resource(scene(), group, securityGroup), "properties", "securityRules");
      // The one cast: Azure's own form.
      return list as readonly JsonObject[];
    };
    const sourceOf = async (name: string): Promise<Json | undefined> =>
      valueAt(
        (await rules()).find((rule) => rule["name"] === name),
        "properties",
        "sourceAddressPrefix",
      );
    const tagOf = async (name: string): Promise<Json | undefined> =>
      valueAt(await resource(scene(), group, securityGroup), "tags", name);

    // The one cast: the simulator takes the copy for its own.
    const changeInAzure = (merge: JsonObject): Promise<void> =>
      scene().stack.azure.mutate(idIn(group, securityGroup), structuredClone(merge) as Parameters<Azure["mutate"]>[1]);

    /** Looks at everything in Azure again, and waits until that has been done. */
    const lookAgain = async (): Promise<void> => {
      const before = (await turnsOf(scene(), place)).length;
      const object = { cluster: scene().stack.cluster, kind: "AzureCluster", ...place };
      expect(await scene().stack.replay({ object, dryRun: false })).toMatchObject({
        status: 200,
        body: { dryRun: false, messages: [{ action: "enqueued" }] },
      });
      await eventually("the replay has its turn", async () =>
        (await turnsOf(scene(), place)).slice(before).some(({ cause }) => cause === "replay"),
      );
      await settled(scene(), place);
      await idle(scene());
    };

    it("takes exactly one write to follow an edit", async () => {
      const before = await requestCount(scene());
      await editSpec(scene(), place, networkFrom("198.51.100.0/24"));
      await settled(scene(), place);
      await idle(scene());
      expect(await writeLines(scene(), group, before)).toEqual([put]);
      expect(await sourceOf("allow_office")).toBe("198.51.100.0/24");
    });

    it("keeps a rule and a tag of somebody else, and writes nothing because of them", async () => {
      const before = await requestCount(scene());
      await changeInAzure({
        tags: { costCentre: "4711" },
        properties: { securityRules: [...(await rules()), foreignRule] },
      });
      await lookAgain();
      expect((await requestsOf(scene(), group, before)).length).toBeGreaterThan(0);
      expect(await writeLines(scene(), group, before)).toEqual([]);
      expect(await sourceOf("auditors")).toBe("203.0.113.0/24");
      expect(await tagOf("costCentre")).toBe("4711");
    });

    it("keeps them in a write of its own, which says which version it changes", async () => {
      const before = await requestCount(scene());
      await editSpec(scene(), place, networkFrom("192.0.2.128/25"));
      await settled(scene(), place);
      await idle(scene());
      expect(await writeLines(scene(), group, before)).toEqual([put]);
      const [write] = await writesOf(scene(), group, before);
      expect(write?.ifMatch).toMatch(/./);
      expect(await sourceOf("allow_office")).toBe("192.0.2.128/25");
      expect(await sourceOf("auditors")).toBe("203.0.113.0/24");
      expect(await tagOf("costCentre")).toBe("4711");
    });

    it("puts back what somebody changed of its own rules, by one write", async () => {
      const before = await requestCount(scene());
      const changed = (await rules()).map(
        (rule): JsonObject =>
          rule["name"] === "allow_office"
            ? { ...rule, properties: { ...propertiesOf(rule), sourceAddressPrefix: "*" } }
            : rule,
      );
      await changeInAzure({ properties: { securityRules: changed } });
      expect(await sourceOf("allow_office")).toBe("*");
      await lookAgain();
      expect(await writeLines(scene(), group, before)).toEqual([put]);
      expect(await sourceOf("allow_office")).toBe("192.0.2.128/25");
      expect(await sourceOf("auditors")).toBe("203.0.113.0/24");
    });
  });
};
