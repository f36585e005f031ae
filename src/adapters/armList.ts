import type { JsonObject, Result } from "../core/types.ts";
import type { ArmRequest, MayGoOn } from "../ports.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";
import type { ArmHttp } from "./armHttp.ts";
import { armUrl, trustedUrl } from "./armUrl.ts";

/**
 * All pages of a list; a page without `value` is an empty one. Links are followed as they are given, but only to
 * Resource Manager itself (`UntrustedUrl`) and never twice (`EndlessList`). What is no page fails (`UnreadableAnswer`).
 */
export const listArm = async (
  http: ArmHttp,
  { method, body, ...rest }: ArmRequest,
  mayGoOn?: MayGoOn,
): Promise<Result<readonly JsonObject[]>> => {
  const found: JsonObject[] = [];
  const seen = new Set<string>();
  let url = armUrl(http.cloud, rest);
  let sent: Pick<ArmRequest, "method" | "body"> = { method, ...(body !== undefined && { body }) };
  while (url.ok) {
    if (seen.has(url.value)) return endless;
    seen.add(url.value);
    const answer = await http.send({ ...sent, url: url.value });
    if (!answer.ok) return answer;
    const { body: page } = answer.value;
    if (!isJsonObject(page) || page["error"] !== undefined) return noPage;
    const { value, nextLink } = page;
    if (isJsonList(value)) found.push(...value.filter(isJsonObject));
    if (typeof nextLink !== "string" || nextLink === "") return { ok: true, value: found };
    url = trustedUrl(http.cloud, nextLink);
    sent = { method: "GET" };
    const stop = await mayGoOn?.();
    if (stop !== undefined) return { ok: false, error: stop };
  }
  return url;
};

const endless: Result<never> = {
  ok: false,
  error: { kind: "transient", code: "EndlessList", message: "Azure's list leads back to a page that was read already" },
};

const noPage: Result<never> = {
  ok: false,
  error: {
    kind: "transient",
    code: "UnreadableAnswer",
    message: "Azure answered a list with something else than a page",
  },
};
