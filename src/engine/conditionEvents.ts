import type { KubeEvent } from "../core/kubeEvent.ts";
import type { Claim, KubeObject } from "../core/types.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";

/** Reasons that somebody should hear of when they begin. Fights are told of once for each hold, not here. */
const toldOf: ReadonlySet<string> = new Set([
  "DeleteBlocked",
  "InfrastructureLost",
  "OwnershipLost",
  "ReconcileDefect",
]);

const reasonIn = ({ status }: KubeObject, type: string): unknown => {
  const { conditions } = status;
  const list = isJsonList(conditions) ? conditions : [];
  return list.flatMap((one) => (isJsonObject(one) && one["type"] === type ? [one["reason"]] : []))[0];
};

/** What conditions say since this write of the status and did not say before it, each reason once. */
export const conditionEvents = (
  before: KubeObject,
  after: KubeObject,
  claims: readonly Claim[],
): readonly Omit<KubeEvent, "atMs">[] => {
  const begun = claims.flatMap(({ type, status, reason = "", message = "" }) => {
    const isNew = reasonIn(before, type) !== reason && reasonIn(after, type) === reason;
    return status === "False" && toldOf.has(reason) && isNew ? [{ type, reason, message }] : [];
  });
  const first = new Map(begun.toReversed().map((one) => [one.reason, one]));
  return [...first.values()].map(({ type, reason, message }) => ({ type: "Warning", reason, about: type, message }));
};
