import type { Deps } from "../../src/engine/deps.ts";
import type { Call } from "./intercept.ts";
import { intercept } from "./intercept.ts";
import type { World } from "./world.ts";

/** Where a function app stands still for 70 s, while another one goes on: at its n-th call, before or after its effect. */
export interface Freeze {
  readonly at: number;
  readonly effect: "before" | "after";
}

export interface Frozen {
  readonly deps: Deps;
  /** The call at which it stood still. */
  readonly where: () => Call | undefined;
  /** Calls of the turn that stood still which changed something afterwards, or were sent to Azure at all. */
  readonly late: readonly string[];
}

const frozenMs = 70_000;
/** What the other one does meanwhile. */
const otherMs = 600_000;
const cut = {
  ok: false,
  error: { kind: "transient", code: "OutcomeUnknown", message: "the request was cut" },
} as const;

/** Requests to Azure and to the API server are cut long before; those to tables and queue may arrive as late as they like. */
const isCut = ({ port }: Call): boolean => port === "arm" || port === "kube";

export const freezing = (world: World, deps: Deps, { at, effect }: Freeze): Frozen => {
  let count = 0;
  let where: Call | undefined;
  let isThawed = false;
  let isLeased = false;
  const late: string[] = [];

  const standStill = async <T>(call: Call, run: () => Promise<T>): Promise<T> => {
    where = call;
    const answer = effect === "after" ? await run() : undefined;
    world.clock.advanceTo(world.clock.nowMs() + frozenMs);
    await world.run(otherMs);
    // Who stood still before it took its lease takes it afterwards, if it can, and is in its rights.
    isThawed = isLeased || effect === "after";
    // The one cast: every port answers with a Result, and a failure fits any of them.
    return isCut(call) ? (cut as T) : (answer ?? run());
  };

  const frozen = intercept(deps, async (call, run) => {
    count += 1;
    if (count === at) return standStill(call, run);
    if (isThawed && call.port === "arm") late.push(call.name);
    const answer = await run();
    isLeased ||= call.name === "tables commit state";
    const isDone = (answer as { readonly ok?: boolean }).ok === true;
    const isTold = call.port === "kube" || call.name === "tables commit state";
    if (isThawed && call.writes && isTold && isDone) late.push(call.name);
    return answer;
  });
  return {
    // With another nonce its turn is over and another one begins.
    deps: {
      ...frozen,
      nonce: () => {
        isThawed = false;
        isLeased = false;
        return deps.nonce();
      },
    },
    where: () => where,
    late,
  };
};
