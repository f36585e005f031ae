import type { Failure, Result } from "../core/types.ts";
import { keyOf } from "../core/workItem.ts";
import type { Arm } from "../ports.ts";
import type { Deps } from "./deps.ts";
import type { DriftScope } from "./driftScopes.ts";
import { connect, gather } from "./gather.ts";
import type { IndexRow } from "./indexRow.ts";
import { gated } from "./shared/gatedArm.ts";
import { throttled } from "./throttle/throttled.ts";

/** Objects of a scope that are tried before it is given up for this time. */
const mostTried = 8;

const nobody: Failure = {
  kind: "dependency",
  code: "NobodyToAsk",
  message: "no object with something in the subscription may ask Azure now",
};

/** Spread over all of them, so that a few that are paused or gone do not stand for the rest. */
const tried = (objects: readonly IndexRow[]): readonly IndexRow[] => {
  const step = Math.max(1, Math.ceil(objects.length / mostTried));
  return objects.filter((_, at) => at % step === 0);
};

/**
 * A connection with the credential of an object of the scope, as a turn of it would have it; paused ones lend none. It
 * asks what Azure will take, and waits with the objects while the identity is refused.
 */
export const asker = async (
  cluster: string,
  { objects, subscription }: DriftScope,
  deps: Deps,
): Promise<Result<Arm>> => {
  const kube = await deps.clusters.connect(cluster);
  if (!kube.ok) return kube;
  const nonce = deps.nonce();
  const limited = gated(throttled(deps, { object: `drift ${cluster}`, rank: "other" }), { nonce, subscription });
  let last = nobody;
  for (const { address } of tried(objects)) {
    const kind = deps.kinds.get(address.kind);
    if (kind === undefined) continue;
    const gathered = await gather(keyOf(address), kind, kube.value, deps);
    if (!gathered.ok) return gathered;
    if (gathered.value.kind !== "ready") continue;
    const { input } = gathered.value;
    const connected = await connect(kind, kind.read(input), kube.value, limited, input.dependencies["identity"]);
    if (connected.kind === "connected") return { ok: true, value: connected.arm };
    const [problem] = connected.kind === "blocked" ? connected.problems : [];
    last = connected.kind === "failed" ? connected.failure : { ...nobody, code: problem?.reason ?? nobody.code };
  }
  return { ok: false, error: last };
};
