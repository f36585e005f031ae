import { limits } from "../core/chain/limits.ts";
import type { JsonObject, Result } from "../core/types.ts";
import { isJsonObject } from "../wire/json.ts";
import { type KubeSubject, kubeFailure, noKubeAnswer } from "./kubeErrors.ts";
import type { KubeRequest, KubeTransport } from "./kubeTransport.ts";
import { parseJson } from "./parseJson.ts";

/**
 * One request and its whole answer, cut after `limits.kubeRequestMs`. Failure code `NoAnswer`, without a status, when
 * none came; `UnreadableAnswer` when a success is not a JSON object.
 */
export const kubeAsk = async (
  transport: KubeTransport,
  request: Omit<KubeRequest, "signal"> & { readonly signal?: AbortSignal | undefined },
  subject: KubeSubject,
): Promise<Result<JsonObject>> => {
  const limit = AbortSignal.timeout(limits.kubeRequestMs);
  const signal = request.signal === undefined ? limit : AbortSignal.any([limit, request.signal]);
  try {
    const response = await transport.send({ ...request, signal });
    const text = await response.text();
    if (response.status < 200 || response.status > 299) {
      return { ok: false, error: kubeFailure({ ...response, text }, subject) };
    }
    const body = parseJson(text);
    return isJsonObject(body) ? { ok: true, value: body } : unreadable;
  } catch (error) {
    return { ok: false, error: noKubeAnswer(error) };
  }
};

const unreadable: Result<never> = {
  ok: false,
  error: { kind: "transient", code: "UnreadableAnswer", message: "the API server's answer is not a JSON object" },
};
