import { describe, expect, it } from "vitest";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  settledCluster,
  withSource,
  withTag,
} from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import type { World } from "../support/world.ts";

const hour = 60 * 60_000;
const prefix = "sigs.k8s.io/cluster-api-provider-azure-last-applied-";
const rules = `${prefix}security-rules`;
const tags = `${prefix}tags-rg`;

const annotation = (world: World, name: string): string | undefined =>
  world.objects.find(key)?.metadata.annotations[name];
const rulesOf = (world: World, id: string): readonly JsonObject[] =>
  ((bodyOf(world, id)["properties"] as JsonObject)["securityRules"] ?? []) as readonly JsonObject[];
const namesOf = (world: World, id: string) => rulesOf(world, id).map(({ name }) => name);
const rule = (name: string, priority: number): JsonObject => ({
  name,
  properties: {
    protocol: "Tcp",
    access: "Allow",
    direction: "Inbound",
    priority,
    sourceAddressPrefix: "*",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "80",
  },
});
/** Another writer's rules in the security group of the nodes. */
const addRules = (world: World, ...added: readonly JsonObject[]): void =>
  mutate(world, ids.nodeNsg, (body) => ({
    ...body,
    properties: { ...(body["properties"] as JsonObject), securityRules: [...rulesOf(world, ids.nodeNsg), ...added] },
  }));
const withoutRules = (object: KubeObject): KubeObject => {
  const networkSpec = {
    vnet: { name: "c1-vnet" },
    subnets: [
      { name: "control-plane-subnet", role: "control-plane" },
      { name: "node-subnet", role: "node", securityGroup: { name: "c1-node-nsg" } },
    ],
  };
  return { ...object, spec: { ...object.spec, networkSpec } };
};
const additionalTags = (world: World, value: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: value } }));

describe("upstream's annotations of what was applied last", () => {
  it("are not begun for nothing", async () => {
    const world = await settledCluster();
    expect([annotation(world, rules), annotation(world, tags)]).toEqual([undefined, undefined]);
  });

  it("tell of a rule once it is applied, and no longer once it is gone", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(hour);
    expect(annotation(world, rules)).toBe('{"c1-node-nsg":{"web":"web"}}');
    world.objects.edit(key, withoutRules);
    await world.run(hour);
    expect(annotation(world, rules)).toBe("{}");
    expect(namesOf(world, ids.nodeNsg)).toEqual([]);
  });

  it("A51: after a takeover a rule of upstream's that left the spec goes; A50: those of others stay", async () => {
    const world = await settledCluster();
    world.tables.clear();
    addRules(world, rule("from-upstream", 310), rule("k8s-service", 500));
    annotate(world, rules, '{"c1-node-nsg":{"from-upstream":"made by upstream"}}');
    await lookAgain(world);
    expect(namesOf(world, ids.nodeNsg)).toEqual(["k8s-service"]);
    expect(annotation(world, rules)).toBe("{}");
  });

  it("A50: a rule of the cloud provider survives a hundred looks", async () => {
    const world = await settledCluster();
    addRules(world, rule("k8s-service", 500));
    const before = world.writes().length;
    for (let look = 0; look < 100; look += 1) await lookAgain(world);
    expect(namesOf(world, ids.nodeNsg)).toEqual(["k8s-service"]);
    expect(world.writes()).toHaveLength(before);
  }, 60_000);

  it("A51: with lost tables a rule of ours that left the spec meanwhile goes", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(hour);
    world.tables.clear();
    world.objects.edit(key, withoutRules);
    await world.run(hour);
    expect(namesOf(world, ids.nodeNsg)).toEqual([]);
  });

  it("with lost tables a tag that left the spec meanwhile goes, and those of others stay", async () => {
    const world = await settledCluster();
    additionalTags(world, { team: "x", env: "dev" });
    await world.run(hour);
    expect(annotation(world, tags)).toBe('{"env":"dev","team":"x"}');
    mutate(world, group, (body) => withTag(body, "costCenter", "7"));
    world.tables.clear();
    additionalTags(world, { env: "dev" });
    await world.run(hour);
    expect(bodyOf(world, group)["tags"]).toMatchObject({ env: "dev", costCenter: "7", [ownerTag]: "owned" });
    expect(bodyOf(world, group)["tags"]).not.toHaveProperty("team");
    expect(annotation(world, tags)).toBe('{"env":"dev"}');
  });

  it("that upstream left are no reason to write anything", async () => {
    const world = await settledCluster();
    const text = '{"c1-controlplane-nsg":{"allow_apiserver":"Allow K8s API Server","allow_ssh":"Allow SSH"}}';
    annotate(world, rules, text);
    annotate(world, tags, "{}");
    world.tables.clear();
    const before = world.writes().length;
    await lookAgain(world);
    const { resourceVersion } = world.objects.find(key)!.metadata;
    await lookAgain(world);
    expect(world.writes()).toHaveLength(before);
    expect([annotation(world, rules), annotation(world, tags)]).toEqual([text, "{}"]);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(resourceVersion);
  });

  it("that are damaged are ignored, and the log says so", async () => {
    const world = await settledCluster();
    annotate(world, rules, '{"c1-node-nsg":');
    addRules(world, rule("k8s-service", 500));
    await lookAgain(world);
    expect(namesOf(world, ids.nodeNsg)).toEqual(["k8s-service"]);
    expect(annotation(world, rules)).toBe('{"c1-node-nsg":');
    expect(world.logs.filter(({ message }) => message === "annotation not readable").at(-1)?.fields).toMatchObject({
      annotation: rules,
    });
  });

  it("stay on a paused object, which may be moved", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(hour);
    annotate(world, "cluster.x-k8s.io/paused", "");
    await world.run();
    expect(annotation(world, rules)).toBe('{"c1-node-nsg":{"web":"web"}}');
  });
});
