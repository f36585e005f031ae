import type { Fault, FaultRule } from "../../../../src/sim/arm/faults.ts";
import type { Place } from "../manifests.ts";
import { groupOf } from "./fireEnd.ts";

const busyCodes = [
  "AnotherOperationInProgress",
  "RetryableError",
  "ReferencedResourceNotProvisioned",
  "CanceledAndSupersededDueToAnotherOperation",
];

const refusals: readonly Fault[] = [
  { kind: "respond", status: 429, code: "TooManyRequests", message: "slow down", retryAfterSeconds: 2 },
  { kind: "respond", status: 500, code: "InternalServerError", message: "oops" },
  { kind: "respond", status: 503, code: "ServiceUnavailable", message: "oops", afterEffect: true },
  { kind: "drop", when: "before" },
  { kind: "drop", when: "after" },
  // One that is slow, and one that is given up before it comes.
  { kind: "delay", ms: 3_000 },
  { kind: "delay", ms: 16_000 },
  { kind: "failOperation", code: "InternalServerError", message: "failed half-way" },
  { kind: "failOperation", status: "Canceled", code: "OperationPreempted", message: "cancelled" },
  ...busyCodes.map((code) => ({ kind: "respond", status: 409, code, message: "busy" }) as const),
];

const oneOf = <T>(dice: () => number, values: readonly T[]): T => values[Math.floor(dice() * values.length)]!;

/** Methods, and among how many requests of each a cluster's fault is. */
const reach: readonly (readonly [string, number])[] = [
  ["PUT", 5],
  ["PUT", 12],
  ["PUT", 12],
  ["GET", 5],
  ["GET", 10],
  ["DELETE", 2],
];

/** What Azure will do wrong to one cluster, early and late in its life. */
export const fireFaults = (dice: () => number, place: Place): readonly FaultRule[] =>
  Array.from({ length: 4 + Math.floor(dice() * 3) }, () => {
    const [method, most] = oneOf(dice, reach);
    const [nth, times] = [1 + Math.floor(dice() * most), 1 + Math.floor(dice() * 2)];
    return { match: { method, path: `/resourceGroups/${groupOf(place)}`, nth, times }, fault: oneOf(dice, refusals) };
  });

/** Azure takes its time for each request about the groups of a namespace, so that turns last. */
export const slowly = (namespace: string): FaultRule => ({
  match: { path: `/resourceGroups/${namespace}-`, times: Number.MAX_SAFE_INTEGER },
  fault: { kind: "delay", ms: 100 },
});

/** Azure forgets an operation that it has begun. */
export const forgottenOperation: FaultRule = {
  match: { method: "GET", path: "/operations/", nth: 10, times: 3 },
  fault: { kind: "respond", status: 404, code: "NotFound", message: "no such operation" },
};

export const faultInWords = ({ match, fault }: FaultRule): string =>
  `${match.method} number ${match.nth}, ${match.times} times: ${JSON.stringify(fault)}`;
