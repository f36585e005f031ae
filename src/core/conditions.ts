import { isJsonObject, type Json, type JsonObject } from "../wire/json.ts";
import { hintFor } from "./azureErrors.ts";
import { backoffSeconds } from "./backoff.ts";
import type { ServiceState } from "./kind.ts";
import { quotaWords } from "./quota.ts";
import type { Reason } from "./reasons.ts";
import type { Service } from "./service.ts";
import { specCondition } from "./specProblems.ts";
import type { Claim, Failure } from "./types.ts";

/** Conditions in the shape of Cluster API v1beta1 (https://cluster-api.sigs.k8s.io/developer/providers/contracts/overview). */

/** The longest message that the CRDs take. */
const messageLimit = 10_240;

type Labelled = Pick<Service<never>, "label" | "condition" | "trueWhenUnused">;

/** What is being done when something goes wrong. */
export type Verb = "creating" | "updating" | "deleting";

const progress: Readonly<Record<Verb, { readonly reason: string; readonly words: string; readonly failed: string }>> = {
  creating: { reason: "Creating", words: "creating or updating", failed: "create or update" },
  updating: { reason: "Updating", words: "updating", failed: "create or update" },
  deleting: { reason: "Deleting", words: "deleting", failed: "delete" },
};

/** Classes that pass by themselves: the work goes on, only later, so no error is shown. */
const passing: ReadonlySet<Failure["kind"]> = new Set(["transient", "throttled", "conflict", "dependency"]);

/** Failures of ours and not of Azure's: each is a reason of its own, and a person is told what to do about it. */
const ownFailures = {
  RowTooLarge:
    "Nothing was written. Have the spec ask for less in one resource: fewer or shorter rules, routes or tags, or several resources in place of one.",
} as const satisfies Readonly<Partial<Record<Reason, string>>>;
const isOwn = (code: string): code is keyof typeof ownFailures => Object.hasOwn(ownFailures, code);

/** In seconds, and in words. */
const patience: readonly (readonly [number, string])[] = [
  [60, "a minute"],
  [300, "5 minutes"],
  [900, "15 minutes"],
];

/**
 * How soon it is tried again at the latest. No time of day: each try would be a write to the object, of which nothing new
 * comes but that time.
 */
const nextTryText = (failure: Failure, attempt: number): string => {
  const seconds = Math.max(backoffSeconds(failure, attempt, 1), failure.retryAfterSeconds ?? 0);
  return `Tried again within ${patience.find(([most]) => seconds <= most)?.[1] ?? "an hour"}.`;
};
const nextTryWords = / Tried again within [a-z0-9 ]+\./g;

/** Azure's words often end without a full stop; what we add begins a sentence of its own. */
const inSentences = (parts: readonly string[]): string =>
  parts.reduce((text, part) => `${text}${/[.!?:;…]["')\]]*$/.test(text) ? "" : "."} ${part}`);

/**
 * How a failure shows. One that passes by itself shows as progress (Info) with its cause; any other as `Failed` or
 * `DeletionFailed` (Error), as upstream spells it, unless it is ours and has a reason of its own. Either way Azure's code
 * and words stand in the message, and what a person can do about it where we know; of an error also how soon it is
 * tried again after so many attempts.
 */
export const stateOfFailure = (failure: Failure, verb: Verb, attempt?: number): ServiceState => {
  const told = failure.message.includes(failure.code) ? failure.message : `${failure.code}: ${failure.message}`;
  const hint = isOwn(failure.code) ? ownFailures[failure.code] : hintFor(failure.code);
  const quota = failure.quota === undefined ? "" : quotaWords(failure.quota);
  const words = [told, quota, hint ?? ""].filter((part) => part !== "");
  const stands = failure.ofTags === true ? { stands: true as const } : {};
  if (passing.has(failure.kind))
    return { kind: "failed", reason: progress[verb].reason, severity: "Info", message: inSentences(words), ...stands };
  const message = inSentences([...words, ...(attempt === undefined ? [] : [nextTryText(failure, attempt)])]);
  const reason = isOwn(failure.code) ? failure.code : verb === "deleting" ? "DeletionFailed" : "Failed";
  return { kind: "failed", reason, severity: "Error", message, ...stands };
};

const failedMessage = (label: string, state: Extract<ServiceState, { kind: "failed" }>): string => {
  const known = Object.values(progress).find(({ reason }) => reason === state.reason);
  if (known !== undefined) return `${label} ${known.words}: ${state.message}`;
  const verb: Verb = state.reason === "DeletionFailed" ? "deleting" : "creating";
  return `${label} failed to ${progress[verb].failed}. err: ${state.message}`;
};

/**
 * What a service's state says about its condition, with upstream's reasons and messages. Undefined: nothing new, what
 * stood there stays (a service that waits for another), or nothing at all (a service that is not used).
 */
export const serviceClaim = (service: Labelled, state: ServiceState): Claim | undefined => {
  const { label, condition: type } = service;
  switch (state.kind) {
    case "unused":
      return service.trueWhenUnused ? { type, status: "True" } : undefined;
    case "done":
      return { type, status: "True", ...(state.message !== undefined && { message: state.message }) };
    case "waiting":
      return undefined;
    case "inProgress": {
      const { reason, words } = progress[state.verb];
      return { type, status: "False", severity: "Info", reason, message: `${label} ${words}` };
    }
    case "refused":
      return { type, status: "False", severity: "Warning", reason: state.reason, message: state.message };
    case "failed": {
      const { reason, severity } = state;
      return { type, status: "False", severity, reason, message: failedMessage(label, state) };
    }
  }
};

/** The claim for a service whose resources are all deleted. */
export const deletedClaim = ({ label, condition: type }: Labelled): Claim => ({
  type,
  status: "False",
  severity: "Info",
  reason: "Deleted",
  message: `${label} successfully deleted`,
});

const textOf = (condition: JsonObject, field: string): string => {
  const value = condition[field];
  return typeof value === "string" ? value : "";
};

/** What makes a transition: status, reason, severity, message; another try of the same alone is none. */
const stated = ["status", "reason", "severity", "message"] as const;
const same = (left: JsonObject, right: JsonObject): boolean =>
  stated.every((field) => lasting(textOf(left, field)) === lasting(textOf(right, field)));
const lasting = (text: string): string => text.replaceAll(nextTryWords, "");

/** Reason and message must not be empty in the CRDs, so empty ones are left out. */
const written = (claim: Claim): JsonObject =>
  Object.fromEntries(
    Object.entries({ ...claim, message: claim.message?.slice(0, messageLimit) }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
    ),
  );

const byType = (left: JsonObject, right: JsonObject): number => {
  const [a, b] = [textOf(left, "type"), textOf(right, "type")];
  if (a === b) return 0;
  if (a === "Ready" || b === "Ready") return a === "Ready" ? -1 : 1;
  return a < b ? -1 : 1;
};

/** From the most to the least pressing, as Cluster API merges v1beta1 conditions. */
const pressing: readonly ((condition: JsonObject) => boolean)[] = [
  (it) => it["status"] === "False" && it["severity"] === "Error",
  (it) => it["status"] === "False" && it["severity"] === "Warning",
  (it) => it["status"] === "False",
  (it) => it["status"] === "True",
  () => true,
];

/** Condition of a paused object; everybody else retires it. That nobody works on it says nothing of what stands. */
export const pausedType = "Paused";

/**
 * `Ready` as the summary of all other conditions but `Paused`: the most pressing group decides, its alphabetically first condition
 * lends reason and message. A spec that cannot work goes before: what others say is from before it. Undefined when there
 * are no others.
 */
export const readySummary = (conditions: readonly JsonObject[]): JsonObject | undefined => {
  const others = conditions.filter(({ type }) => type !== "Ready" && type !== pausedType).toSorted(byType);
  const spec = others.filter(({ type }) => type === specCondition);
  const first = pressing.map((belongs) => [...spec, ...others].find(belongs)).find((it) => it !== undefined);
  return first === undefined ? undefined : { ...first, type: "Ready" };
};

const stamped = (old: readonly JsonObject[], claim: JsonObject, now: string): JsonObject => {
  const before = old.find((it) => it["type"] === claim["type"]);
  if (before === undefined || !same(before, claim)) return { ...claim, lastTransitionTime: now };
  return textOf(before, "message") === textOf(claim, "message")
    ? before
    : { ...claim, lastTransitionTime: before["lastTransitionTime"] ?? now };
};

/** What a status says of one condition. */
export const conditionStatus = ({ conditions }: JsonObject, type: string): Json | undefined =>
  (Array.isArray(conditions) ? conditions : []).filter(isJsonObject).find((it) => it["type"] === type)?.["status"];

const wholeSeconds = (iso: string): string => iso.replace(/\.\d+Z$/, "Z");

/**
 * The list of conditions with the claims made, types in `retired` taken out, and `Ready` computed anew; sorted, `Ready`
 * first. Types that nobody claims stay as they are, also when they belong to others. `lastTransitionTime` moves only when
 * status, reason, severity or message do, what is said of the next try excepted: it tells since when something fails. A list
 * that would not change is returned as the same value.
 */
export const assertConditions = (
  old: Json | undefined,
  claims: readonly Claim[],
  nowIso: string,
  retired: readonly string[] = [],
): readonly Json[] => {
  const list: readonly Json[] = Array.isArray(old) ? old : [];
  const before = list.filter(isJsonObject);
  const now = wholeSeconds(nowIso);
  const claimed = claims.map((claim) => stamped(before, written(claim), now));
  const replaced = new Set<Json | undefined>([...claimed.map((it) => it["type"]), ...retired, "Ready"]);
  const rest = [...before.filter((it) => !replaced.has(it["type"])), ...claimed];
  const ready = readySummary(rest);
  const all = [...rest, ...(ready === undefined ? [] : [stamped(before, ready, now)])].toSorted(byType);
  const unchanged = all.length === list.length && all.every((it, index) => it === list[index]);
  return unchanged ? list : all;
};
