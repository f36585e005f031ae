import fc from "fast-check";
import { expect, it } from "vitest";
import { replay } from "../../src/core/chain/messages.ts";
import type { JsonObject } from "../../src/core/types.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  resources,
  seed,
  withTag,
} from "../support/defaultCluster.ts";
import { type Call, intercept } from "../support/intercept.ts";
import { runBy } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, createWorld, type World } from "../support/world.ts";

/** Random worlds in which some of what the cluster wants is there already, and whose tags and tables change meanwhile. */

const hour = 60 * 60_000;
const network = `${group}/providers/Microsoft.Network`;
const address = `${network}/publicIPAddresses/pip-c1-node-natgw-1`;
const taggable = [group, ids.vnet, ids.nodeNsg, ids.routeTable, address];
const untaggable = [ids.nodeSubnet, ids.controlPlaneSubnet];
const places = [...taggable, ...untaggable];
const otherOwner = "sigs.k8s.io_cluster-api-provider-azure_cluster_c2";

type Owner = "nobody" | "untagged" | "ours" | "c2";
const tagsFor: Readonly<Record<Owner, JsonObject>> = {
  nobody: {},
  untagged: { team: "x" },
  ours: { [ownerTag]: "owned" },
  c2: { [otherOwner]: "owned" },
};
const bodies: Readonly<Record<string, JsonObject>> = {
  [ids.vnet]: { properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] }, subnets: [] } },
  [address]: { sku: { name: "Standard" }, properties: { publicIPAllocationMethod: "Static" } },
  [ids.nodeSubnet]: { properties: { addressPrefix: "10.1.0.0/16" } },
  [ids.controlPlaneSubnet]: { properties: { addressPrefix: "10.0.0.0/16" } },
};

const owner = fc.constantFrom<Owner>("nobody", "untagged", "ours", "c2");
const event = fc.oneof(
  fc.record({ kind: fc.constant("tag" as const), id: fc.constantFrom(...taggable), owner }),
  fc.record({ kind: fc.constant("wipe" as const) }),
  fc.record({ kind: fc.constant("look" as const) }),
);

const begin = (owners: readonly Owner[]): World => {
  const world = createWorld();
  const has = new Map(places.map((id, at) => [id, owners[at] ?? "nobody"]));
  // What lies in something exists only when that does.
  const isThere = (id: string): boolean => {
    if (has.get(id) === "nobody") return false;
    if (id === group) return true;
    return isThere(untaggable.includes(id) ? ids.vnet : group);
  };
  for (const id of places.filter(isThere)) {
    const tags = taggable.includes(id) ? { location: "eastus", tags: tagsFor[has.get(id) ?? "nobody"] } : {};
    seed(world, { id, properties: {}, ...bodies[id], ...tags });
  }
  applyDefaultCluster(world);
  annotate(world, "capstan.azure/keep-foreign", "");
  return world;
};

const isTagged = (world: World, id: string): boolean =>
  (bodyOf(world, id)["tags"] as JsonObject | undefined)?.[ownerTag] === "owned";

const isSubnet = (id: string): boolean => /\/subnets\/[^/]+$/.test(id);

/** Subnets stand in the body of their network. */
const subnetsIn = (world: World): readonly string[] => {
  const properties = bodyOf(world, ids.vnet)["properties"] as
    | undefined
    | { readonly subnets?: readonly { readonly id: string }[] };
  return (properties?.subnets ?? []).map(({ id }) => id.toLowerCase());
};

const stands = (world: World, id: string): boolean =>
  isSubnet(id) ? subnetsIn(world).includes(id.toLowerCase()) : world.arm.resources.has(id.toLowerCase());

/** What is broken by a write that is about to reach Azure. `claimed`: subnets that were made, or met in a network of ours. */
const lawOfWrite = (world: World, { name, path }: Call, claimed: ReadonlySet<string>): readonly string[] => {
  const id = path.split("/providers/Microsoft.Resources/tags/")[0] ?? path;
  if (!stands(world, id)) return [];
  const mayWrite = isSubnet(id) ? claimed.has(id.toLowerCase()) : isTagged(world, id);
  return mayWrite ? [] : [`${name} ${id}`];
};

const lookBy = async (world: World, deps: World["deps"], request: string): Promise<void> => {
  const { item, messageId } = replay({
    address: { cluster: clusterUid, ...key },
    uid: "",
    request,
    nowMs: world.clock.nowMs(),
  });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  await runBy(world, deps, 10 * 60_000);
};

it("whatever is there and whatever happens to tags and tables: nothing foreign is ever written or deleted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(owner, { minLength: places.length, maxLength: places.length }),
      fc.array(event, { maxLength: 5 }),
      async (owners, events) => {
        const world = begin(owners);
        const broken: string[] = [];
        const [made, claimed] = [new Set<string>(), new Set<string>()];
        const deps = intercept(world.deps, async (call, run) => {
          if (call.port !== "arm") return run();
          for (const id of isTagged(world, ids.vnet) ? subnetsIn(world) : []) claimed.add(id);
          if (!call.writes) return run();
          broken.push(...lawOfWrite(world, call, claimed));
          if (call.name === "arm PUT" && isSubnet(call.path) && !stands(world, call.path))
            for (const all of [made, claimed]) all.add(call.path.toLowerCase());
          return run();
        });
        await runBy(world, deps, hour);
        for (const [at, one] of events.entries()) {
          if (one.kind === "wipe") world.tables.clear();
          if (one.kind === "tag" && world.arm.resources.has(one.id.toLowerCase()))
            mutate(world, one.id, (body) => ({ ...withTag(body, ownerTag, undefined), tags: tagsFor[one.owner] }));
          await lookBy(world, deps, String(at));
        }
        const foreign = taggable.filter((id) => stands(world, id) && !isTagged(world, id));
        const foreignSubnets = subnetsIn(world).filter((id) => !claimed.has(id));
        world.objects.remove(key);
        await runBy(world, deps, hour);
        expect(broken).toEqual([]);
        expect(world.objects.find(key)).toBeUndefined();
        expect(resources(world)).toEqual(expect.arrayContaining(foreign.map((id) => id.toLowerCase())));
        expect(subnetsIn(world)).toEqual(expect.arrayContaining(foreignSubnets));
        expect(subnetsIn(world).filter((id) => made.has(id))).toEqual([]);
        expect(world.tables.rows("state")).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
}, 120_000);
