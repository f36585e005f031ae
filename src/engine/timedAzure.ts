import type { Failure, Result } from "../core/types.ts";
import type { Arm, Azure } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { mayAskAzure } from "./session.ts";

const tooLate: { readonly ok: false; readonly error: Failure } = {
  ok: false,
  error: {
    kind: "transient",
    code: "TurnTooLong",
    message: "the turn has taken too long to ask Azure; the next one goes on",
  },
};

/** When the turn's own clock began; design section 4, "Lease and time". */
interface Turn {
  readonly deps: Pick<Deps, "clock">;
  readonly startedMs: number;
}

const timedArm = (arm: Arm, turn: Turn): Arm => {
  const inTime = <T>(run: () => Promise<Result<T>>): Promise<Result<T>> =>
    mayAskAzure(turn) ? run() : Promise.resolve(tooLate);
  return {
    ...arm,
    send: (request) => inTime(() => arm.send(request)),
    poll: (operation, target) => inTime(() => arm.poll(operation, target)),
    list: (request, mayGoOn) =>
      inTime(() =>
        arm.list(request, async () => {
          const stop = await mayGoOn?.();
          return stop ?? (mayAskAzure(turn) ? undefined : tooLate.error);
        }),
      ),
  };
};

/** Azure for one turn: whoever asks it, and for whatever, no request starts when the turn is too old. */
export const timedAzure = (azure: Azure, turn: Turn): Azure => ({
  connect: async (credential) => {
    const connected = await azure.connect(credential);
    return connected.ok ? { ok: true, value: timedArm(connected.value, turn) } : connected;
  },
});
