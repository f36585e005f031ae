import type { JsonObject } from "../core/types.ts";
import type { ArmAnswer } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";

/** The resource that Azure answered with. It is always an object; anything else has none of the fields looked for. */
export const resourceIn = ({ body }: Pick<ArmAnswer, "body">): JsonObject => (isJsonObject(body) ? body : {});
