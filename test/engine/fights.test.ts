import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { annotate, bodyOf, group, ids, key, mutate, withTag } from "../support/defaultCluster.ts";
import {
  type Arena,
  arena,
  askFor,
  conditionOf,
  deleteRules,
  hour,
  hourOf,
  look,
  minute,
  setSource,
  source,
  unsteady,
  withTeam,
  writesTo,
} from "../support/fights.ts";
import { intercept } from "../support/intercept.ts";
import type { World } from "../support/world.ts";

/** One kind of fight over one resource: who acts each minute, and what the condition has to name. */
interface Fight {
  readonly name: string;
  readonly id: string;
  readonly condition: string;
  readonly reason: string;
  readonly names: readonly string[];
  readonly prepare?: (world: World) => void;
  readonly deps?: (deps: Arena["deps"], world: World) => Arena["deps"];
  readonly act: (world: World, round: number) => void;
}

type Shown = ReturnType<typeof conditionOf>;

const tagsOf = (world: World, id: string): JsonObject => bodyOf(world, id)["tags"] as JsonObject;
const rewriteTeam = (world: World, id: string): void => {
  if (tagsOf(world, id)["team"] !== "BLUE") mutate(world, id, (body) => withTag(body, "team", "BLUE"));
};
const asksForTeam = (world: World): void => void world.objects.edit(key, (object) => withTeam(object, "blue"));
const nothing = (): void => undefined;
/** Each turn another plan, from a list or made up. */
const plansOf = (next: (turn: number) => string) => (deps: Arena["deps"]) => {
  let turns = 0;
  return unsteady(deps, () => {
    turns += 1;
    return next(turns);
  });
};

const inSecurityGroup = { id: ids.nodeNsg, condition: "SecurityGroupsReady", reason: "ReconcileLoop" } as const;
const fights: readonly Fight[] = [
  {
    ...inSecurityGroup,
    name: "A60: a field that another controller sets back each minute",
    names: ["sourceAddressPrefix", '"Internet"', '"10.0.0.0/8"', "goes on at 2026-"],
    act: (world) => setSource(world, "Internet"),
  },
  {
    ...inSecurityGroup,
    name: "A60: a rule that another controller deletes each minute",
    names: ["securityRules[web]", "null ->", "10.0.0.0/8"],
    act: deleteRules,
  },
  {
    name: "A03: a policy that rewrites the value of a tag of ours",
    id: ids.routeTable,
    condition: "RouteTablesReady",
    reason: "TagContested",
    names: ["tags.team", '"BLUE"', '"blue"'],
    prepare: asksForTeam,
    act: (world) => rewriteTeam(world, ids.routeTable),
  },
  {
    ...inSecurityGroup,
    name: "A05: two Kubernetes writers on one field",
    reason: "SpecContested",
    names: ["spec.networkSpec.subnets", "gitops", "kubectl-edit", '"Internet"', '"10.0.0.0/8"'],
    act: (world, round) =>
      round % 2 === 0 ? askFor(world, "Internet", "gitops") : askFor(world, "10.0.0.0/8", "kubectl-edit"),
  },
  ...[2, 3, 5].map(
    (period): Fight => ({
      ...inSecurityGroup,
      name: `a plan of period ${period}`,
      names: ["destinationPortRange"],
      deps: plansOf((turn) => String(8_000 + (turn % period))),
      act: nothing,
    }),
  ),
  {
    ...inSecurityGroup,
    name: "a plan with a nonce",
    names: ["destinationPortRange"],
    deps: plansOf((turn) => String(8_000 + turn)),
    act: nothing,
  },
  {
    ...inSecurityGroup,
    name: "A22: a default that the server puts in the place of our value, as soon as it is written",
    names: ["sourceAddressPrefix", '"*"'],
    deps: (deps, world) =>
      intercept(deps, async (call, run) => {
        const answer = await run();
        if (call.name === "arm PUT" && call.path.endsWith("c1-node-nsg")) setSource(world, "*");
        return answer;
      }),
    act: (world) => setSource(world, "*"),
  },
];

const begin = async ({ prepare, deps }: Fight): Promise<Arena> => {
  const at = await arena(prepare);
  return deps === undefined ? at : { ...at, deps: deps(at.deps, at.world) };
};

describe.each(fights)("$name", (fight) => {
  it("costs at most 8 writes in its first hour, not one a minute, and is named with field and values", async () => {
    const at = await begin(fight);
    const { world } = at;
    const before = writesTo(world, fight.id);
    const seen: Shown[] = [];
    world.objects.onChange(() => seen.push(conditionOf(world, fight.condition)));
    await hourOf(at, fight.act);
    const wrote = writesTo(world, fight.id) - before;
    expect(wrote).not.toBe(59);
    expect(wrote).toBeLessThanOrEqual(8);
    expect(wrote).toBeGreaterThanOrEqual(5);
    const shown = seen.findLast((one) => one?.reason === fight.reason);
    expect(shown).toMatchObject({ status: "False", severity: "Warning" });
    for (const name of fight.names) expect(shown?.message).toContain(name);
  });

  it("leaves a person's later change of the spec to act at once", async () => {
    const at = await begin(fight);
    const { world } = at;
    await hourOf(at, fight.act);
    const before = writesTo(world, fight.id);
    askFor(world, "192.168.0.0/16");
    world.objects.edit(key, (object) => withTeam(object, "red"));
    const putBack = fight.deps === undefined || fight.name.includes("plan");
    await look(at);
    expect(writesTo(world, fight.id)).toBeGreaterThan(before);
    expect(tagsOf(world, ids.routeTable)).toMatchObject({ team: "red" });
    if (putBack) expect(source(world)).toBe("192.168.0.0/16");
  });
});

describe("a fight", () => {
  it("goes on at once, and once, when somebody releases it", async () => {
    const at = await arena();
    const { world } = at;
    await hourOf(at, () => setSource(world, "Internet"));
    expect(source(world)).toBe("Internet");
    annotate(world, "capstan.azure/release", "1");
    await world.run(10_000);
    expect(source(world)).toBe("10.0.0.0/8");
    const before = writesTo(world, ids.nodeNsg);
    await hourOf(at, () => setSource(world, "Internet"));
    expect(writesTo(world, ids.nodeNsg) - before).toBeLessThanOrEqual(8);
  });

  it("is not ended by a retry, which is for back-offs", async () => {
    const at = await arena();
    const { world } = at;
    await hourOf(at, () => setSource(world, "Internet"));
    const before = writesTo(world, ids.nodeNsg);
    annotate(world, "capstan.azure/retry", "1");
    await world.run(10_000);
    expect(writesTo(world, ids.nodeNsg)).toBe(before);
  });

  it("ends when the other gives in", async () => {
    const at = await arena();
    const { world } = at;
    await hourOf(at, () => setSource(world, "Internet"));
    await world.run(3 * hour);
    expect(source(world)).toBe("10.0.0.0/8");
    expect(conditionOf(world, "Ready")).toMatchObject({ status: "True" });
  });

  it("A03: over a tag of the resource group stops neither the group's children nor the spec's other changes", async () => {
    const at = await arena(asksForTeam);
    const { world } = at;
    await hourOf(at, () => rewriteTeam(world, group));
    askFor(world, "172.16.0.0/12");
    rewriteTeam(world, group);
    await look(at);
    expect(source(world)).toBe("172.16.0.0/12");
    expect(conditionOf(world, "ResourceGroupReady")).not.toMatchObject({ severity: "Error" });
  });

  it("A01: over a tag that a policy adds does not exist: not one write in an hour", async () => {
    const at = await arena();
    const { world } = at;
    const before = world.writes().length;
    await hourOf(
      at,
      () => {
        for (const id of [group, ids.nodeNsg, ids.lb]) mutate(world, id, (body) => withTag(body, "costCenter", "x"));
      },
      5 * minute,
    );
    expect(world.writes().length - before).toBe(0);
  });

  it("A02: over a tag that we took off and a policy puts back ends with our one write", async () => {
    const at = await arena(asksForTeam);
    const { world } = at;
    const before = writesTo(world, ids.routeTable);
    world.objects.edit(key, (object) => withTeam(object, undefined));
    await hourOf(at, () => rewriteTeam(world, ids.routeTable));
    expect(writesTo(world, ids.routeTable) - before).toBeLessThanOrEqual(2);
    expect(tagsOf(world, ids.routeTable)).toMatchObject({ team: "BLUE" });
  });

  it("refused writes and failed operations do not count", async () => {
    const at = await arena();
    const { world } = at;
    const fault = { kind: "failOperation", code: "InternalServerError", message: "half-way" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", path: "c1-node-nsg", times: 6 }, fault }, seen: 0 });
    setSource(world, "Internet");
    await look(at);
    const reasons = new Set<string | undefined>();
    world.objects.onChange(() => reasons.add(conditionOf(world, "SecurityGroupsReady")?.reason));
    await world.run(hour);
    expect(source(world)).toBe("10.0.0.0/8");
    expect(reasons).not.toContain("ReconcileLoop");
  });

  it("A06: our own status starts no turn", async () => {
    const { world } = await arena();
    const before = world.logs.filter(({ message }) => message === "turn finished").length;
    world.objects.edit(
      key,
      (object) => ({ ...object, status: { ...object.status, ready: true, note: "echo" } }),
      "capstan-status",
    );
    await world.run(minute);
    expect(world.logs.filter(({ message }) => message === "turn finished").length).toBe(before);
  });
});
