import { idKey } from "../core/ids.ts";
import { specIsValid } from "../core/specProblems.ts";
import { blocked } from "./blocked.ts";
import { carryOut } from "./carryOut.ts";
import { type Claimed, claim } from "./claim.ts";
import { type Prepared, prepare } from "./gather.ts";
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
    case "planned": {
      // The finalizer is confirmed before the first intent; the plan stands, whatever else that answer shows.
      const claimed = await claim(present.object, kind.finalizer, kube);
      if (!claimed.ok) return surroundings(held, claimed.error);
      return followed(turning, present, claimed.value, prepared);
    }
  }
};

/** Poll first, plan second. */
const followed = async (
  turning: Turning,
  present: Present,
  claimed: Claimed,
  prepared: Extract<Prepared, { kind: "planned" }>,
): Promise<Ending> => {
  const { planned, arm } = prepared;
  const wanted = new Set(planned.services.flatMap(({ desired }) => desired.map(({ id }) => idKey(id))));
  const { deps, startedMs, ledger } = turning;
  // A running DELETE is followed with what is no longer wanted.
  const isFollowed = (key: string): boolean => wanted.has(key) || ledger.get(key)?.operation?.verb === "DELETE";
  const strays = await pollStrays(ledger, isFollowed, { deps, startedMs, arm });
  return withStrays(await carryOut(turning, present, claimed, prepared), strays);
};
