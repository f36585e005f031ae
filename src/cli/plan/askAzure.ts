import { setTimeout as sleep } from "node:timers/promises";
import type { Failure, Result } from "../../core/types.ts";
import { UserError } from "../userError.ts";
import { cannotPlanStatus } from "./planOptions.ts";

const tries = 4;
const longestSeconds = 30;
const passing: ReadonlySet<Failure["kind"]> = new Set(["transient", "throttled"]);

/** A person waits: what passes by itself is tried again a few times. */
export const patiently = async <T>(
  ask: () => Promise<Result<T>>,
  pause: (seconds: number) => Promise<unknown> = (seconds) => sleep(seconds * 1_000),
  left = tries,
): Promise<Result<T>> => {
  const answer = await ask();
  if (answer.ok || left <= 1 || !passing.has(answer.error.kind)) return answer;
  const seconds = answer.error.retryAfterSeconds ?? 2 ** (tries - left);
  if (seconds > longestSeconds) return answer;
  await pause(seconds);
  return patiently(ask, pause, left - 1);
};

/** Says what could not be read, and why. */
export const azureError = (what: string, { code, message }: Failure): UserError =>
  new UserError(`${what} cannot be read from Azure: ${code}: ${message}`, cannotPlanStatus);
