import { idKey } from "../core/ids.ts";
import { specIsValid } from "../core/specProblems.ts";
import { blocked } from "./blocked.ts";
import { carryOut } from "./carryOut.ts";
import { type Claimed, claim } from "./claim.ts";
import { type Prepared, prepare } from "./gather.ts";
import { keepIdentity } from "./identityHold.ts";
import { judge } from "./judge.ts";
import { pollStrays, withStrays } from "./strayOperations.ts";
import { straysBy, straysUnplanned } from "./straysUnplanned.ts";
import { type Ending, type Present, surroundings, type Turning } from "./turning.ts";

/** The turn of an object that shall exist: judge, claim, plan, drive, tell. */
export const applying = async (turning: Turning, present: Present): Promise<Ending> => {
  const { kind, kube, deps, held } = turning;
  const reading = kind.read(present.input);
  const problems = await judge(present.object, reading);
  if (problems.length > 0) {
    const strays = await straysUnplanned(turning, reading);
    return withStrays(await blocked(turning, present, problems), strays);
  }
  const prepared = await prepare(kind, reading, kube, deps, present.input.dependencies["identity"]);
  switch (prepared.kind) {
    case "failed":
      return surroundings(held, prepared.failure);
    case "blocked": {
      const strays = await straysBy(turning, prepared.arm);
      return withStrays(await blocked(turning, present, prepared.problems, specIsValid), strays);
    }
    case "planned":
      return claimed(turning, present, prepared);
  }
};

/** The finalizers are confirmed before the first intent; the plan stands, whatever else the answers show. */
const claimed = async (
  turning: Turning,
  present: Present,
  prepared: Extract<Prepared, { kind: "planned" }>,
): Promise<Ending> => {
  const { kind, kube } = turning;
  const kept = await keepIdentity(turning, present);
  if (kept.kind !== "kept") return kept;
  const at = { ...turning, held: kept.held };
  const own = await claim(present.object, kind.finalizer, kube);
  const ending = own.ok
    ? await followed(at, present, { ...own.value, confirmed: own.value.confirmed && kept.confirmed }, prepared)
    : surroundings(at.held, own.error);
  return ending.kind === "commit" ? { ...ending, rows: [...ending.rows, ...kept.rows] } : ending;
};

/** Poll first, plan second. */
const followed = async (
  turning: Turning,
  present: Present,
  own: Claimed,
  prepared: Extract<Prepared, { kind: "planned" }>,
): Promise<Ending> => {
  const { planned, arm } = prepared;
  const wanted = new Set(planned.services.flatMap(({ desired }) => desired.map(({ id }) => idKey(id))));
  const { deps, startedMs, ledger } = turning;
  // A running DELETE is followed with what is no longer wanted.
  const isFollowed = (key: string): boolean => wanted.has(key) || ledger.get(key)?.operation?.verb === "DELETE";
  const strays = await pollStrays(ledger, isFollowed, { deps, startedMs, arm });
  return withStrays(await carryOut(turning, present, own, prepared), strays);
};
