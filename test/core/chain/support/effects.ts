import type { ChainRow } from "../../../../src/core/chain/chainRow.ts";
import type { Outgoing } from "../../../../src/core/workItem.ts";
import type { Fault, Protocol, World } from "./model.ts";

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
