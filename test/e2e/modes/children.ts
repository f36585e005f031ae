import { textAt, valueAt } from "../../../src/api/json.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { isJsonList, isJsonObject } from "../../../src/wire/json.ts";

/** What Azure lists inside of a virtual network although it is written by requests of its own. */
export const childrenOf = (resource: JsonObject): readonly JsonObject[] =>
  /\/virtualNetworks\/[^/]+$/i.test(textAt(resource, "id") ?? "")
    ? ["subnets", "virtualNetworkPeerings"].flatMap((name) => {
        const list = valueAt(resource, "properties", name);
        return isJsonList(list) ? list.filter(isJsonObject) : [];
      })
    : [];
