import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/types.ts";
import { namesOf, writeLines } from "../../support/e2e/azureLog.ts";
import {
  aCluster,
  aNamespace,
  anAzureCluster,
  anIdentity,
  everything,
  type Place,
} from "../../support/e2e/manifests.ts";
import { apply, azureCluster, blockedBy, conditionOf, editSpec, find, settled } from "../../support/e2e/objects.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { resyncRuns } from "../../support/e2e/turns.ts";

const bad = (name: string): Place => ({ namespace: `bad-${name}`, name });
const groupOf = ({ namespace, name }: Place): string => `${namespace}-${name}`;

/** The node subnet has the default range 10.1.0.0/16 where none is listed. */
const subnetsOf = (controlPlane: string, node?: string): JsonObject => ({
  networkSpec: {
    vnet: { name: "overlapping", cidrBlocks: ["10.0.0.0/8"] },
    subnets: [
      { name: "control-plane", role: "control-plane", cidrBlocks: [controlPlane] },
      { name: "node", role: "node", ...(node !== undefined && { cidrBlocks: [node] }) },
    ],
  },
});

/** What people get wrong: it is said, nothing is written, and it heals without anybody asking again. */
export const badInputScenarios = (scene: () => Scene): void => {
  describe.concurrent("bad input", () => {
    let resyncs = 0;
    beforeAll(async () => {
      resyncs = await resyncRuns(scene());
    });
    const expectNoResync = async (): Promise<void> => expect(await resyncRuns(scene())).toBe(resyncs);

    it("of a secret that is missing heals when the secret comes", async () => {
      const place = bad("secret");
      const clientSecret = { name: "late", namespace: place.namespace };
      await apply(scene(), [
        aNamespace(place.namespace),
        anIdentity(place, { type: "ServicePrincipal", clientSecret }),
        aCluster(place),
        anAzureCluster(place),
      ]);
      const condition = await blockedBy(scene(), place, "IdentitySecretNotFound");
      expect(condition["message"]).toMatch(/secret late must exist/);
      await apply(scene(), [
        { apiVersion: "v1", kind: "Secret", metadata: clientSecret, stringData: { clientSecret: "hush" } },
      ]);
      await settled(scene(), place);
      await expectNoResync();
    });

    it("of an identity that Azure refuses heals when Azure lets it in", async () => {
      const place = bad("refused");
      const clientID = "00000000-0000-4000-8000-0000000000d0";
      await scene().stack.azure.configure({ denied: [{ identity: clientID }] });
      await apply(scene(), [
        aNamespace(place.namespace),
        anIdentity(place, { clientID }),
        aCluster(place),
        anAzureCluster(place),
      ]);
      const condition = await blockedBy(scene(), place, "Failed");
      expect(condition["message"]).toMatch(/AuthorizationFailed/);
      expect(await writeLines(scene(), groupOf(place))).toEqual([]);
      await scene().stack.azure.configure({ denied: [] });
      await settled(scene(), place);
      await expectNoResync();
    });

    it("of an identity that is missing heals when the identity comes", async () => {
      const place = bad("identity");
      await apply(scene(), [aNamespace(place.namespace), aCluster(place), anAzureCluster(place)]);
      const condition = await blockedBy(scene(), place, "IdentityNotFound");
      expect(condition["message"]).toContain("identity");
      expect(await writeLines(scene(), groupOf(place))).toEqual([]);
      await apply(scene(), [anIdentity(place)]);
      await settled(scene(), place);
      await expectNoResync();
    });

    it("of a place that does not exist is said in Azure's words", async () => {
      const place = bad("place");
      await apply(scene(), everything(place, { location: "atlantis" }));
      const condition = await blockedBy(scene(), place, "Failed");
      expect(condition["message"]).toMatch(/atlantis/);
      expect(conditionOf(await azureCluster(scene(), place), "ResourceGroupReady")).toMatchObject({ status: "False" });
      expect(await namesOf(scene(), groupOf(place))).toEqual([]);
    });

    it("of a subnet that overlaps a default is said before anything is written, and heals by an edit", async () => {
      const place = bad("overlap");
      await apply(scene(), everything(place, subnetsOf("10.1.128.0/20")));
      const condition = await blockedBy(scene(), place, "InvalidConfiguration");
      expect(condition["message"]).toContain("10.1.128.0/20");
      const object = await azureCluster(scene(), place);
      expect(conditionOf(object, "SpecValid")).toMatchObject({ status: "False", message: condition["message"] });
      expect(conditionOf(object, "NetworkInfrastructureReady")).toMatchObject({ reason: "SpecNotValid" });
      expect(await writeLines(scene(), groupOf(place))).toEqual([]);
      await editSpec(scene(), place, subnetsOf("10.1.128.0/20", "10.2.0.0/20"));
      await settled(scene(), place);
    });

    it.each([
      ["a number for a text", { location: 5 }, "spec.location"],
      ["a text for a number", { controlPlaneEndpoint: { host: "", port: "six" } }, "spec.controlPlaneEndpoint.port"],
      [
        "an unknown role",
        { networkSpec: { vnet: { name: "v" }, subnets: [{ name: "s", role: "king" }] } },
        "spec.networkSpec.subnets[0].role",
      ],
      ["subnets that overlap", subnetsOf("10.0.0.0/16", "10.0.128.0/20"), "spec.networkSpec.subnets"],
    ])("of %s is refused by the API server with the field's path", async (_what, spec, path) => {
      const place = bad("typed");
      await apply(scene(), [aNamespace(place.namespace)]);
      await expect(
        scene().stack.kubectl(["apply", "--validate=false", "-f", "-"], JSON.stringify(anAzureCluster(place, spec))),
      ).rejects.toThrow(path);
      expect(await find(scene(), "AzureCluster", place)).toBeUndefined();
    });

    it("of a field that is misspelt is refused by kubectl with its name", async () => {
      const place = bad("spelling");
      await apply(scene(), [aNamespace(place.namespace)]);
      const said = apply(scene(), [anAzureCluster(place, { loction: "westeurope" })]);
      await expect(said).rejects.toThrow(/unknown field "(spec\.)?loction"/);
    });
  });
};
