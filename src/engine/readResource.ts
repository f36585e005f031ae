import type { Failure, JsonObject, ResourceId, Result } from "../core/types.ts";
import type { ArmAnswer } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import type { Session } from "./session.ts";

/** A resource as a GET shows it. */
export interface ReadResource extends Pick<ArmAnswer, "etag"> {
  readonly body: JsonObject;
}

/** Without a status: nothing is known of the resource, least of all that it has no owner tag. */
const noResource: { readonly ok: false; readonly error: Failure } = {
  ok: false,
  error: {
    kind: "transient",
    code: "UnreadableAnswer",
    message: "Azure answered a read with something else than a resource",
  },
};

/**
 * Reads one resource. Whatever is no resource, which always has its id, fails as `UnreadableAnswer`: an empty answer or an
 * error that came with 200 would pass for one that somebody took all our tags and fields off.
 */
export const readResource = async (
  id: ResourceId,
  apiVersion: string,
  { arm }: Pick<Session, "arm">,
): Promise<Result<ReadResource>> => {
  const answer = await arm.send({ method: "GET", path: id, apiVersion });
  if (!answer.ok) return answer;
  const { body, etag } = answer.value;
  if (!isJsonObject(body) || typeof body["id"] !== "string" || body["id"] === "") return noResource;
  return { ok: true, value: { body, ...(etag !== undefined && { etag }) } };
};
