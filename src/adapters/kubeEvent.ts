import { eventName, eventNamespace, type KubeEvent, type ToldEvent, toldEvent } from "../core/kubeEvent.ts";
import type { JsonObject, KubeObject, Result } from "../core/types.ts";
import { kubeAsk } from "./kubeAsk.ts";
import { queryOf } from "./kubePaths.ts";
import type { KubeTransport } from "./kubeTransport.ts";

/** Shown as the source of an event. */
const component = "capstan";
const plural = "events";

const countedOf = ({ count, firstTimestamp }: JsonObject): Partial<Pick<ToldEvent, "count" | "firstTimestamp">> => ({
  ...(typeof count === "number" && { count }),
  ...(typeof firstTimestamp === "string" && { firstTimestamp }),
});

/**
 * Reads the event of the same name, and applies it counted on. In core/v1 because its events may be changed, and are what
 * recorders of controller-runtime write; one that has expired meanwhile begins anew.
 */
export const tellKubeEvent = async (
  transport: KubeTransport,
  object: KubeObject,
  event: KubeEvent,
): Promise<Result<void>> => {
  const name = eventName(object, event);
  const path = `/api/v1/namespaces/${encodeURIComponent(eventNamespace(object))}/${plural}/${encodeURIComponent(name)}`;
  const subject = { plural, name };
  const read = await kubeAsk(transport, { method: "GET", path }, subject);
  if (!read.ok && read.error.kind !== "gone") return read;
  const told = toldEvent(object, event, read.ok ? countedOf(read.value) : undefined);
  const more = { apiVersion: "v1", kind: "Event", source: { component }, reportingComponent: component };
  const answer = await kubeAsk(
    transport,
    {
      method: "PATCH",
      path: path + queryOf({ fieldManager: `${component}-events`, force: true }),
      headers: { Accept: "application/json", "Content-Type": "application/apply-patch+yaml" },
      body: JSON.stringify({ ...told, ...more }),
    },
    subject,
  );
  return answer.ok ? { ok: true, value: undefined } : answer;
};
