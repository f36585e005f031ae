import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, ids, key, mutate, withTag } from "../support/defaultCluster.ts";
import {
  type Arena,
  arena,
  conditionOf,
  hourOf,
  look,
  minute,
  setSource,
  unsteady,
  withTeam,
} from "../support/fights.ts";
import type { World } from "../support/world.ts";

const questions = (world: World): number =>
  world.requests().filter(({ path }) => path.includes("Microsoft.ResourceGraph")).length;
const holds = (world: World) => world.logs.filter(({ message }) => message === "reconcile loop");

/** All that the condition said of the fight, in order. */
const messagesIn = async (at: Arena, type: string, act: (world: World, round: number) => void) => {
  const messages: string[] = [];
  at.world.objects.onChange(() => {
    const { message = "", reason = "" } = conditionOf(at.world, type) ?? {};
    if (/Contested|Loop/.test(reason) && messages.at(-1) !== message) messages.push(message);
  });
  await hourOf(at, act);
  return messages;
};

describe("who else writes to a resource", () => {
  it("stands in condition, event, log and history as soon as Azure's changes tell, and costs one question a fight", async () => {
    const at = await arena();
    const { world } = at;
    const messages = await messagesIn(at, "SecurityGroupsReady", () => setSource(world, "Internet"));
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) expect(message).toContain("changed each time by another-writer (");
    const events = world.objects.events().filter(({ reason }) => reason === "ReconcileLoop");
    expect(events.at(-1)?.message).toContain("by another-writer");
    expect(holds(world).at(-1)?.fields).toMatchObject({ others: "another-writer" });
    const history = world.tables.rows("history").map(({ packed }) => JSON.stringify(packed["holds"] ?? null));
    expect(history.some((told) => told.includes("by another-writer"))).toBe(true);
    expect(questions(world)).toBe(1);
  });

  it("is found for a child among the changes of its parent", async () => {
    const at = await arena();
    const { world } = at;
    const messages = await messagesIn(at, "SubnetsReady", () =>
      mutate(world, ids.nodeSubnet, (body) => {
        const { networkSecurityGroup: _, ...properties } = body["properties"] as JsonObject;
        return { ...body, properties };
      }),
    );
    expect(messages.at(-1)).toContain("changed each time by another-writer (");
  });

  it("is said to be unknown, with where to look, as long as Azure does not tell; each hold asks once", async () => {
    const at = await arena(undefined, { changeFeed: { delayMs: 100 * minute } });
    const { world } = at;
    const messages = await messagesIn(at, "SecurityGroupsReady", () => setSource(world, "Internet"));
    for (const message of messages)
      expect(message).toContain(`writer not known; see the activity log of ${ids.nodeNsg}`);
    expect(questions(world)).toBe(holds(world).length);
    expect(questions(world)).toBeLessThanOrEqual(8);
  });

  it("is found at a later hold when Azure tells late, and is never ourselves", async () => {
    const at = await arena(undefined, { changeFeed: { delayMs: 5 * minute } });
    const { world } = at;
    const messages = await messagesIn(at, "SecurityGroupsReady", () => setSource(world, "Internet"));
    expect(messages[0]).toContain("writer not known");
    expect(messages.at(-1)).toContain("by another-writer (");
    const ours = "00000000-0000-4000-8000-0000000000bb";
    for (const message of messages) expect(message).not.toContain(ours);
  });

  it("is nobody where our own plan changes each time: that is said, and nobody is asked", async () => {
    const at = await arena();
    const { world } = at;
    let turns = 0;
    const deps = unsteady(at.deps, () => {
      turns += 1;
      return String(8_000 + turns);
    });
    const messages = await messagesIn({ world, deps }, "SecurityGroupsReady", () => undefined);
    expect(messages.at(-1)).toMatch(/because \d plans came in turn although the spec stayed the same/);
    expect(questions(world)).toBe(0);
  });

  it("is not asked for when nothing is fought over", async () => {
    const at = await arena((world) => void world.objects.edit(key, (object) => withTeam(object, "blue")));
    const { world } = at;
    mutate(world, ids.routeTable, (body) => withTag(body, "team", "BLUE"));
    await look(at);
    expect(bodyOf(world, ids.routeTable)["tags"]).toMatchObject({ team: "blue" });
    expect(questions(world)).toBe(0);
  });
});
