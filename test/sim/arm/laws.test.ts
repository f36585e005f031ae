import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { World } from "../../../src/sim/arm/armState.ts";
import type { Json } from "../../../src/sim/arm/json.ts";
import { finishAll } from "../../../src/sim/arm/operations.ts";
import { located, referencesIn } from "../../../src/sim/arm/store.ts";
import {
  aGroup,
  bodies,
  group,
  lbId,
  location,
  nicId,
  nsgId,
  pipId,
  subnetId,
  type TestWorld,
  vmId,
  vnetId,
} from "./aWorld.ts";

type Step = (world: TestWorld) => void;

const writes: readonly (readonly [string, Json])[] = [
  [group, { location }],
  [vnetId, bodies.vnet()],
  [subnetId, bodies.subnet()],
  [nsgId, { location, properties: { securityRules: [{ name: "a", properties: bodies.rule(100) }] } }],
  [`${nsgId}/securityRules/b`, { properties: bodies.rule(101) }],
  [subnetId, bodies.subnet("10.1.0.0/16", { networkSecurityGroup: { id: nsgId } })],
  [pipId, bodies.pip()],
  [lbId, bodies.lb()],
  [`${lbId}/inboundNatRules/n`, bodies.natRule(22)],
  [nicId, bodies.nic()],
  [nicId, bodies.nic({ loadBalancerInboundNatRules: [{ id: `${lbId}/inboundNatRules/n` }] })],
  [vmId, bodies.vm()],
];

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom(...writes).map(
    ([path, body]): Step =>
      (world) =>
        void world.put(path, body),
  ),
  fc.constantFrom(...writes.map(([path]) => path)).map(
    (path): Step =>
      (world) =>
        void world.del(path),
  ),
  fc.integer({ min: 0, max: 5_000 }).map(
    (ms): Step =>
      (world) =>
        world.advance(ms),
  ),
);

/** A world with everything in it, on which random steps are made. */
const run = (steps: readonly Step[]): TestWorld => {
  const world = aGroup({ latency: 1_500 });
  for (const [path, body] of writes) {
    expect(world.put(path, body).status).toBeLessThan(300);
    world.advance(2_000);
  }
  for (const act of steps) act(world);
  return world;
};

describe("laws of the simulator", () => {
  it("equal requests at equal times give equal answers", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const [first, second] = [run(steps), run(steps)];
        expect(second.state.requests).toEqual(first.state.requests);
        expect([...second.state.resources.values()]).toEqual([...first.state.resources.values()]);
      }),
      { numRuns: 40 },
    );
  });

  it("the index of references says what the bodies say, and nothing dangles once all has settled", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { state } = run(steps);
        finishAll(state);
        const fromBodies = [...state.resources.values()]
          .flatMap(({ key, id, body }) =>
            referencesIn(id, body).map(({ target, from, path }) => `${target.toLowerCase()} ${key} ${from} ${path}`),
          )
          .toSorted();
        const fromIndex = [...state.references]
          .flatMap(([target, holders]) =>
            [...holders].flatMap(([holder, list]) =>
              list.map(({ from, path }) => `${target} ${holder} ${from} ${path}`),
            ),
          )
          .toSorted();
        expect(fromIndex).toEqual(fromBodies);
        const world: World = { state, nowMs: 0, apiVersion: "", correlationId: "", identity: "", failure: undefined };
        for (const target of state.references.keys()) expect(located(world, target), target).toBeDefined();
        expect(state.pending.size).toBe(0);
      }),
      { numRuns: 60 },
    );
  });

  it("a settled resource that is sent back as it was read stays as it was", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const world = run(steps);
        finishAll(world.state);
        for (const { id } of world.state.resources.values()) {
          const before = world.get(id);
          if (before.status !== 200 || JSON.stringify(before.body).includes("Failed")) continue;
          expect(world.put(id, before.body!).status).toBeLessThan(300);
          finishAll(world.state);
          const { etag: _old, ...was } = before.body as Record<string, Json>;
          const { etag: _new, ...now } = world.get(id).body as Record<string, Json>;
          expect(withoutEtags(now)).toEqual(withoutEtags(was));
        }
      }),
      { numRuns: 25 },
    );
  });

  it("never throws, whatever is sent", () => {
    const world = aGroup();
    fc.assert(
      fc.property(
        fc.constantFrom("GET", "PUT", "PATCH", "POST", "DELETE", "HEAD", "X"),
        fc.webPath(),
        fc.json(),
        (method, path, body) => {
          for (const prefix of ["", group, `${group}/providers/Microsoft.Network/virtualNetworks`, vnetId])
            expect(world.send(method, `${prefix}${path}`, JSON.parse(body) as Json).status).toBeGreaterThan(0);
        },
      ),
    );
  });
});

const withoutEtags = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutEtags);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== "etag")
      .map(([name, item]) => [name, withoutEtags(item)]),
  );
};
