import { isJsonObject } from "../../wire/json.ts";
import type { JsonObject } from "../types.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/**
 * Who changed a resource last, by its own `systemData`, when that was after our last write; nobody when it does not tell.
 * Few providers fill it, those of networks do not
 * (https://learn.microsoft.com/rest/api/resources/resources/get-by-id#systemdata).
 */
export const lastModifier = ({ systemData }: JsonObject, wroteAtMs: number): readonly string[] => {
  if (!isJsonObject(systemData)) return [];
  const { lastModifiedBy, lastModifiedByType, lastModifiedAt } = systemData;
  const name = textOf(lastModifiedBy);
  const isLater = Date.parse(textOf(lastModifiedAt)) > wroteAtMs;
  const type = textOf(lastModifiedByType);
  return name !== "" && isLater ? [type === "" ? name : `${name} (${type})`] : [];
};
