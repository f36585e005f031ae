import { describe, expect, it } from "vitest";
import { replay as replayMessage } from "../../src/core/chain/messages.ts";
import type { JsonObject, ObjectKey } from "../../src/core/types.ts";
import { mutateResource } from "../../src/sim/arm/otherWriter.ts";
import { ids, withSource } from "../support/defaultCluster.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const settled = async (): Promise<{ readonly world: World; readonly key: ObjectKey }> => {
  const world = createWorld();
  const key = applyDefaultCluster(world);
  await world.run();
  return { world, key };
};

/** Asks for a look at everything in Azure. */
const replay = async (world: World, key: ObjectKey, request: string): Promise<void> => {
  const { item, messageId } = replayMessage({
    address: { cluster: clusterUid, ...key },
    uid: "",
    request,
    nowMs: world.clock.nowMs(),
  });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  await world.run();
};

const bodyOf = (world: World, id: string): JsonObject => world.arm.resources.get(id.toLowerCase())!.body as JsonObject;
const propertiesOf = (body: JsonObject): JsonObject => body["properties"] as JsonObject;

describe("a settled cluster", () => {
  it("answers a replay with reads only", async () => {
    const { world, key } = await settled();
    const writes = world.writes().length;
    const version = world.objects.find(key)?.metadata.resourceVersion;
    await replay(world, key, "r1");
    expect(world.writes().length).toBe(writes);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(version);
    expect(
      world.requests().filter(({ method, path }) => method === "GET" && path.toLowerCase() === ids.lb.toLowerCase()),
    ).toHaveLength(1);
  });

  it("changes one security group, once, when the source of a rule changes", async () => {
    const { world, key } = await settled();
    world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
    await world.run();
    const writes = world.writes().length;
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run();
    expect(
      world
        .writes()
        .slice(writes)
        .map(({ method, path }) => [method, path]),
    ).toEqual([["PUT", ids.nodeNsg]]);
    expect(propertiesOf(bodyOf(world, ids.nodeNsg))["securityRules"]).toMatchObject([
      { name: "web", properties: { sourceAddressPrefix: "10.1.0.0/16", priority: 300 } },
    ]);
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });

  it("removes a rule that leaves the spec, and keeps one that somebody else added", async () => {
    const { world, key } = await settled();
    world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
    await world.run();
    const foreign = {
      name: "k8s-svc",
      properties: {
        access: "Allow",
        direction: "Inbound",
        priority: 500,
        protocol: "Tcp",
        sourceAddressPrefix: "Internet",
        sourcePortRange: "*",
        destinationAddressPrefix: "*",
        destinationPortRange: "443",
      },
    };
    mutateResource(
      world.arm,
      ids.nodeNsg,
      (body) =>
        ({
          ...body,
          properties: {
            ...(body["properties"] as object),
            securityRules: [...((body["properties"] as { securityRules: [] }).securityRules ?? []), foreign],
          },
        }) as typeof body,
      world.clock.nowMs(),
    );
    const writes = world.writes().length;
    await replay(world, key, "r1");
    expect(world.writes().length).toBe(writes);
    world.objects.edit(key, (object) => ({
      ...object,
      spec: {
        ...object.spec,
        networkSpec: {
          vnet: { name: "c1-vnet" },
          subnets: [
            { name: "control-plane-subnet", role: "control-plane" },
            { name: "node-subnet", role: "node", securityGroup: { name: "c1-node-nsg" } },
          ],
        },
      },
    }));
    await world.run();
    expect(
      world
        .writes()
        .slice(writes)
        .map(({ method, path }) => [method, path]),
    ).toEqual([["PUT", ids.nodeNsg]]);
    expect(propertiesOf(bodyOf(world, ids.nodeNsg))["securityRules"]).toMatchObject([{ name: "k8s-svc" }]);
  });

  it("keeps a foreign tag without a write", async () => {
    const { world, key } = await settled();
    mutateResource(
      world.arm,
      ids.lb,
      (body) => ({ ...body, tags: { ...(body["tags"] as object), team: "blue" } }),
      world.clock.nowMs(),
    );
    const writes = world.writes().length;
    await replay(world, key, "r1");
    expect(world.writes().length).toBe(writes);
    expect(bodyOf(world, ids.lb)["tags"]).toMatchObject({ team: "blue" });
  });
});
