import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { activeFaults, type Fault, type FaultRule } from "../../src/sim/arm/faults.ts";
import { meaningOf } from "../support/azureState.ts";
import { type Details, details, type Frame, frames, specOf, surroundingsOf } from "../support/clusterSpecs.ts";
import { key, seed } from "../support/defaultCluster.ts";
import { lookAgain } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

/** More, and others, by `CAPSTAN_CLUSTERS=100`. */
const many = process.env["CAPSTAN_CLUSTERS"];
const runs = many === undefined ? { numRuns: 8, seed: 20_261_201 } : { numRuns: Number(many) };
const hour = 3_600_000;

const ask = (world: World, frame: Frame, one: Details): void =>
  void world.objects.edit(key, ({ spec, ...object }) => {
    const { identityRef, location, subscriptionID, controlPlaneEndpoint } = spec as JsonObject;
    const told = controlPlaneEndpoint === undefined ? {} : { controlPlaneEndpoint };
    return { ...object, spec: { identityRef, location, subscriptionID, ...told, ...specOf(frame, one) } as JsonObject };
  });

/** What Azure holds, without what changes by itself. */
const azureOf = (world: World) =>
  Object.fromEntries([...world.arm.resources].map(([id, { body }]) => [id, meaningOf(body as JsonObject)]));

const expectReady = (world: World, when: string): void => {
  const conditions = conditionsOf(world.objects.find(key));
  const wrong = Object.entries(conditions).filter(([, { status }]) => status !== "True");
  expect(wrong, when).toEqual([]);
  expect(world.objects.find(key)?.status["ready"], when).toBe(true);
};

const refused = (world: World): readonly string[] =>
  world.arm.requests
    .filter(({ method, status }) => method !== "GET" && status >= 400 && status !== 409 && status !== 429)
    .map(({ method, path, status }) => `${method} ${path} ${status}`);

const live = async (frame: Frame, first: Details, second: Details): Promise<void> => {
  const world = createWorld();
  seed(world, ...surroundingsOf(frame));
  const before = azureOf(world);
  applyDefaultCluster(world);
  ask(world, frame, first);
  await world.run(hour);
  expectReady(world, "made");
  const made = world.writes().length;
  await lookAgain(world);
  expect(world.writes().length, "at rest").toBe(made);
  ask(world, frame, second);
  await world.run(2 * hour);
  expectReady(world, "edited");
  const edited = world.writes().length;
  await lookAgain(world);
  expect(world.writes().length, "at rest again").toBe(edited);
  expect(refused(world)).toEqual([]);
  const after = azureOf(world);
  expect(after, "as if it had been made so").toEqual(await madeAtOnce(frame, second));
  world.objects.remove(key);
  await world.run(2 * hour);
  expect(world.objects.find(key)).toBeUndefined();
  expect(azureOf(world), "gone").toEqual(before);
};

/** After so many messages somebody changes their mind. */
const leave = async (frame: Frame, one: Details, steps: number): Promise<void> => {
  const world = createWorld({ latency: { types: { "Microsoft.Network/loadBalancers": 60_000 } } });
  seed(world, ...surroundingsOf(frame));
  const before = azureOf(world);
  applyDefaultCluster(world);
  ask(world, frame, one);
  for (let n = 0; n < steps; n += 1)
    if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
  world.objects.remove(key);
  await world.run(2 * hour);
  expect(world.objects.find(key)).toBeUndefined();
  expect(azureOf(world), "gone").toEqual(before);
  expect([...world.tables.rows("state"), ...world.tables.rows("index")]).toEqual([]);
};

/** What `clusterctl move` carries over to another management cluster: everything but the status. */
const movedFrom = (world: World): World => {
  const to = createWorld();
  to.restless = "nobody rings for what is moved here";
  seed(to, ...[...world.arm.resources.values()].map(({ body }) => structuredClone(body) as JsonObject));
  to.objects.putSecret("default", "sp-secret", { clientSecret: "s3cret" });
  to.holdDoorbells();
  for (const { apiVersion, kind, metadata, spec } of world.objects.all()) {
    const { name, namespace, labels, annotations, ownerReferences, finalizers } = metadata;
    const carried = { name, namespace, labels, annotations, ownerReferences, finalizers };
    to.objects.put({ apiVersion, kind, metadata: carried, spec });
  }
  return to;
};

const move = async (frame: Frame, one: Details): Promise<void> => {
  const world = createWorld();
  seed(world, ...surroundingsOf(frame));
  const before = azureOf(world);
  applyDefaultCluster(world);
  ask(world, frame, one);
  await world.run(hour);
  const to = movedFrom(world);
  to.ringHeldDoorbells();
  await to.run(hour);
  expectReady(to, "moved");
  expect(to.writes()).toEqual([]);
  expect(to.objects.find(key)?.spec).toEqual(world.objects.find(key)?.spec);
  to.objects.remove(key);
  await to.run(2 * hour);
  expect(to.objects.find(key)).toBeUndefined();
  expect(azureOf(to), "gone").toEqual(before);
};

const respond = (status: number, code: string): Fault => ({ kind: "respond", status, code, message: code });
const faults: fc.Arbitrary<FaultRule> = fc.record({
  match: fc.record({
    method: fc.constantFrom("PUT", "PUT", "DELETE", "GET"),
    nth: fc.integer({ min: 1, max: 25 }),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fault: fc.constantFrom<Fault>(
    respond(409, "AnotherOperationInProgress"),
    respond(429, "TooManyRequests"),
    respond(500, "InternalServerError"),
    respond(403, "ScopeLocked"),
    respond(403, "AuthorizationFailed"),
    { kind: "drop", when: "before" },
    { kind: "drop", when: "after" },
    { kind: "failOperation", code: "InternalServerError", message: "no" },
  ),
});

/** Whatever goes wrong passes, and leaves nothing behind. */
const endure = async (frame: Frame, one: Details, wrong: readonly FaultRule[]): Promise<void> => {
  const world = createWorld({ latency: 20_000 });
  seed(world, ...surroundingsOf(frame));
  const before = azureOf(world);
  world.arm.faults.push(...activeFaults(wrong));
  applyDefaultCluster(world);
  ask(world, frame, one);
  await world.run(12 * hour);
  expectReady(world, "made");
  expect(azureOf(world)).toEqual(await madeAtOnce(frame, one));
  world.arm.faults.push(...activeFaults(wrong));
  world.objects.remove(key);
  await world.run(12 * hour);
  expect(world.objects.find(key)).toBeUndefined();
  expect(azureOf(world), "gone").toEqual(before);
};

const madeAtOnce = async (frame: Frame, one: Details) => {
  const world = createWorld();
  seed(world, ...surroundingsOf(frame));
  applyDefaultCluster(world);
  ask(world, frame, one);
  await world.run(hour);
  return azureOf(world);
};

describe("any cluster", () => {
  it("comes to stand, follows its spec, rests, and goes", { timeout: 600_000 }, () =>
    fc.assert(fc.asyncProperty(frames, details, details, live), { ...runs, endOnFailure: true }),
  );

  it("moves to another management cluster without a write, with all that is its own", { timeout: 600_000 }, () =>
    fc.assert(fc.asyncProperty(frames, details, move), { ...runs, endOnFailure: true }),
  );

  it("endures what goes wrong in Azure", { timeout: 600_000 }, () =>
    fc.assert(fc.asyncProperty(frames, details, fc.array(faults, { minLength: 1, maxLength: 4 }), endure), {
      ...runs,
      endOnFailure: true,
    }),
  );

  it("goes at any moment", { timeout: 600_000 }, () =>
    fc.assert(fc.asyncProperty(frames, details, fc.nat({ max: 12 }), leave), { ...runs, endOnFailure: true }),
  );
});
