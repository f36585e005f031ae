import { retryAfterSeconds } from "../core/azureErrors.ts";
import type { Json, Operation, Result } from "../core/types.ts";
import { isJsonObject } from "../wire/json.ts";
import type { ArmHttpAnswer } from "./armHttp.ts";
import { trustedUrl } from "./armUrl.ts";
import type { Cloud } from "./clouds.ts";

const longestWaitSeconds = 600;

/** How long Azure wants to be left alone, at most ten minutes. */
export const waitSeconds = ({ retryAfter }: Pick<ArmHttpAnswer, "retryAfter">, otherwise: number): number =>
  Math.min(longestWaitSeconds, retryAfterSeconds(retryAfter) ?? otherwise);

export const provisioningState = (body: Json): string | undefined => {
  if (!isJsonObject(body)) return undefined;
  const { properties } = body;
  const state = (isJsonObject(properties) ? properties["provisioningState"] : undefined) ?? body["provisioningState"];
  return typeof state === "string" ? state : undefined;
};

/** How a state or a status reads: `Creating`, `Updating` and all other words mean that Azure works on. */
export const phaseOf = (state: string): "running" | "succeeded" | "failed" | "canceled" => {
  if (/^succeeded$/i.test(state)) return "succeeded";
  if (/^failed$/i.test(state)) return "failed";
  return /^cancell?ed$/i.test(state) ? "canceled" : "running";
};

/** Where Azure tells how it goes on: https://learn.microsoft.com/azure/azure-resource-manager/management/async-operations */
const linkOf = (answer: ArmHttpAnswer): Pick<Operation, "style" | "url"> | undefined => {
  const url = answer.header("azure-asyncoperation") ?? answer.header("operation-location");
  if (url !== undefined) return { style: "asyncOperation", url };
  // With a 201 it names the new resource.
  const location = answer.status === 202 ? answer.header("location") : undefined;
  return location === undefined ? undefined : { style: "location", url: location };
};

const worksOn = (verb: Operation["verb"], { status, body }: ArmHttpAnswer): boolean => {
  if (status === 202) return verb !== "POST";
  const state = provisioningState(body);
  return (verb === "PUT" || verb === "PATCH") && state !== undefined && phaseOf(state) === "running";
};

/**
 * The operation that an accepted write began; undefined when it is done. Failure code `UntrustedUrl` when Azure names a
 * foreign place to poll.
 */
export const operationOf = (
  cloud: Cloud,
  verb: Operation["verb"],
  answer: ArmHttpAnswer,
): Result<Operation | undefined> => {
  const times = { startedMs: 0, notBeforeMs: waitSeconds(answer, 1) * 1000 };
  const link = linkOf(answer);
  if (link?.url === undefined) {
    return { ok: true, value: worksOn(verb, answer) ? { verb, style: "resource", ...times } : undefined };
  }
  const url = trustedUrl(cloud, link.url);
  return url.ok ? { ok: true, value: { verb, style: link.style, url: url.value, ...times } } : url;
};
