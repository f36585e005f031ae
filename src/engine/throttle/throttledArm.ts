import { hashOf } from "../../core/hash.ts";
import { heldBack } from "../../core/heldBack.ts";
import type { CredentialSpec } from "../../core/identity.ts";
import type { Failure, Remaining, Result } from "../../core/types.ts";
import type { Arm, ArmRequest, MayGoOn } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { lookAround, shareBlock } from "./blockedRows.ts";
import { type Rank, verbOf } from "./bucket.ts";
import type { BucketName } from "./throttle.ts";

/** For whom Azure is asked. */
export interface Caller {
  /** Any text that names the object. */
  readonly object: string;
  readonly rank: Rank;
}

type Asked = Pick<ArmRequest, "method" | "path">;
type Surroundings = Pick<Deps, "tables" | "throttle" | "log">;

/** What Azure counts requests by: https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling */
const principalOf = ({ cloud, tenantId, clientId }: CredentialSpec): string => hashOf([cloud, tenantId, clientId]);

const subscriptionOf = (path: string): string => /^\/subscriptions\/([^/]+)/i.exec(path)?.[1]?.toLowerCase() ?? "";
/** The last one counts: an extension belongs to its own provider. */
const providerOf = (path: string): string =>
  [...path.matchAll(/\/providers\/([^/]+)/gi)].at(-1)?.[1]?.toLowerCase() ?? "microsoft.resources";

const placeIn = (object: string): number => Number.parseInt(hashOf(object).slice(0, 6), 16) / 0xff_ff_ff;

/** When Azure refuses and does not say for how long. */
const secondsWithoutWord = 15;
/** When a provider says that nothing is left, and has refused nothing yet. */
const pauseMs = 5_000;

interface Buckets {
  readonly whole: BucketName;
  readonly provider: BucketName;
}

/**
 * Whose refusal it was: Resource Manager's own when nothing is left there or its code says so, else that of the
 * provider (https://learn.microsoft.com/troubleshoot/azure/virtual-machines/troubleshooting-throttling-errors).
 */
const refuserOf = ({ whole, provider }: Buckets, { code, remaining }: Failure): BucketName =>
  /^(Subscription|Tenant)RequestsThrottled$/.test(code) || (remaining?.whole ?? 0) === 0 ? whole : provider;

const isThrottling = ({ kind }: Failure): boolean => kind === "throttled";

/** What an answer says of what may follow. */
const learn = async (
  buckets: Buckets,
  answer: Result<{ readonly remaining?: Remaining } | undefined>,
  deps: Surroundings,
): Promise<void> => {
  const { whole, provider } = buckets;
  const nowMs = deps.tables.nowMs() ?? 0;
  const remaining = answer.ok ? answer.value?.remaining : answer.error.remaining;
  deps.throttle.answered(whole, remaining?.whole, nowMs);
  deps.throttle.answered(provider, undefined, nowMs);
  if (remaining?.resource === 0) deps.throttle.block(provider, nowMs + pauseMs);
  if (answer.ok || !isThrottling(answer.error)) return;
  const untilMs = nowMs + 1_000 * (answer.error.retryAfterSeconds ?? secondsWithoutWord);
  const refuser = refuserOf(buckets, answer.error);
  deps.throttle.block(refuser, untilMs);
  deps.log("warn", "throttled by Azure", { ...refuser, untilMs });
  await shareBlock(refuser, untilMs, deps);
};

/** What has been learnt is not kept with the failure: it says nothing any more a moment later. */
const withoutRemaining = <T>(result: Result<T>): Result<T> => {
  if (result.ok || result.error.remaining === undefined) return result;
  const { remaining: _, ...error } = result.error;
  return { ok: false, error };
};

/** Who asks, with what identity. */
interface Gate {
  readonly identity: string;
  readonly asking: Caller & { readonly place: number };
  readonly deps: Surroundings;
}

const bucketsOf = ({ method, path }: Asked, { identity }: Gate): Buckets => {
  const whole: BucketName = { subscription: subscriptionOf(path), identity, verb: verbOf(method) };
  return { whole, provider: { ...whole, provider: providerOf(path) } };
};

const refused = async ({ whole, provider }: Buckets, { asking, deps }: Gate): Promise<Failure | undefined> => {
  const nowMs = deps.tables.nowMs() ?? 0;
  await lookAround(whole, nowMs, deps);
  const untilMs = deps.throttle.ask([whole, provider], asking, nowMs);
  return untilMs === undefined ? undefined : heldBack(whole.verb, untilMs, nowMs);
};

/** `toldBy`: what an answer says of the remaining number, if it says anything. */
const pass = async <T>(
  request: Asked,
  gate: Gate,
  run: () => Promise<Result<T>>,
  toldBy: (value: T) => { readonly remaining?: Remaining } | undefined,
): Promise<Result<T>> => {
  const buckets = bucketsOf(request, gate);
  const error = await refused(buckets, gate);
  if (error !== undefined) return { ok: false, error };
  const answer = await run();
  await learn(buckets, answer.ok ? { ok: true, value: toldBy(answer.value) } : answer, gate.deps);
  return withoutRemaining(answer);
};

/** Each page is a request; that for the last one is still counted as on its way when the list has ended. */
const nextPage = async (
  { path }: ArmRequest,
  gate: Gate,
  mayGoOn: MayGoOn | undefined,
): Promise<Failure | undefined> => {
  const buckets = bucketsOf({ method: "GET", path }, gate);
  const stop = (await mayGoOn?.()) ?? (await refused(buckets, gate));
  if (stop === undefined) await learn(buckets, { ok: true, value: undefined }, gate.deps);
  return stop;
};

/**
 * A connection that asks only what Azure will take: it honours Retry-After and the remaining number of the last answer for
 * each subscription, identity and kind of request, also when another instance was refused. What it holds back fails as
 * `HeldBack` with the time to come back, and nothing is sent.
 */
export const throttledArm = (arm: Arm, spec: CredentialSpec, caller: Caller, deps: Surroundings): Arm => {
  const asking = { ...caller, place: placeIn(caller.object) };
  const gate: Gate = { identity: principalOf(spec), asking, deps };
  return {
    send: (request) =>
      pass(
        request,
        gate,
        () => arm.send(request),
        (answer) => answer,
      ),
    poll: (operation, target) =>
      pass(
        { method: "GET", path: target.path },
        gate,
        () => arm.poll(operation, target),
        (answer) => answer,
      ),
    list: (request, mayGoOn) =>
      pass(
        request,
        gate,
        () => arm.list(request, () => nextPage(request, gate, mayGoOn)),
        () => undefined,
      ),
  };
};
