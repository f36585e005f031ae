import type { ChainRow } from "../../../../src/core/chain/chainRow.ts";
import { doorbell } from "../../../../src/core/chain/messages.ts";
import type { Outgoing } from "../../../../src/core/workItem.ts";
import { address } from "./build.ts";
import { type Fault, inputsIn, type Protocol, type World } from "./model.ts";

/** A send; the broker drops an id that it knows. */
export const send = (world: World, protocol: Protocol, outgoing: Outgoing): World => {
  const { item, dueMs } = outgoing;
  const id = protocol.idOf(outgoing);
  if (world.known.some((one) => one.id === id)) return world;
  return {
    ...world,
    messages: [...world.messages, { item, id, dueMs, lockedBy: undefined }],
    known: [...world.known, { id, item }],
  };
};

export const spend = (world: World, fault: Fault): World | undefined => {
  const left = world.budget[fault] ?? 0;
  return left > 0 ? { ...world, budget: { ...world.budget, [fault]: left - 1 } } : undefined;
};

export const withRow = (world: World, row: ChainRow | undefined): World => ({ ...world, row, etag: world.etag + 1 });

/** A fenced write and what may become of it: done, lost race, or no answer (done or not). The first is the usual one. */
export const write = (
  world: World,
  input: {
    readonly fits: boolean;
    readonly done: (world: World) => World;
    readonly onDone: (world: World) => World;
    readonly onRace: (world: World) => World;
    readonly onUnknown: (world: World) => World;
  },
): readonly World[] => {
  const { fits, done, onDone, onRace, onUnknown } = input;
  const spent = spend(world, "unknown");
  const usual = fits ? onDone(done(world)) : onRace(world);
  if (spent === undefined) return [usual];
  return fits ? [usual, onUnknown(done(spent)), onUnknown(spent)] : [usual, onUnknown(spent)];
};

/** The watcher announces the object as it is now. */
export const announce = (world: World, protocol: Protocol): World =>
  send(
    world,
    protocol,
    doorbell({
      cause: "change",
      address,
      news: {
        uid: world.uid,
        generation: world.generation,
        inputs: inputsIn(world),
        paused: world.paused,
        deleting: world.object !== "present",
      },
      versions: [String(world.resourceVersion)],
      nowMs: world.nowMs,
    }),
  );

/** The object is gone, and the watcher says so. */
export const announceGone = (world: World, protocol: Protocol): World =>
  announce({ ...world, object: "gone", resourceVersion: world.resourceVersion + 1 }, protocol);

/** A worker's message is free again, and the worker as well. */
export const abandon = (world: World, worker: number): World => ({
  ...world,
  messages: world.messages.map((message) =>
    message.lockedBy === worker ? { ...message, lockedBy: undefined } : message,
  ),
  workers: world.workers.map((run, at) => (at === worker ? undefined : run)),
});
