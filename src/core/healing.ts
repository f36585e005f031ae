import type { Healing, Rules } from "./rules.ts";
import type { Json, JsonObject } from "./types.ts";

/** In what way a resource is broken, and the write that heals it. */
export interface Broken {
  /** Where it shows. */
  readonly path: string;
  readonly shows: string;
  readonly whole: string;
  readonly query?: Readonly<Record<string, string>>;
}

const failedStates = new Set(["failed", "canceled", "cancelled"]);

/** Azure gave up on its last operation; any write finishes it. */
const provisioning: readonly [string, string] = ["properties.provisioningState", "Succeeded"];

const textAt = (body: JsonObject, pattern: string): string | undefined => {
  const value = pattern
    .split(".")
    .reduce<Json | undefined>(
      (at, step) =>
        typeof at === "object" && at !== null && !Array.isArray(at) ? (at as JsonObject)[step] : undefined,
      body,
    );
  return typeof value === "string" ? value : undefined;
};

const isAmong = (values: readonly string[], text: string): boolean =>
  values.some((value) => value.toLowerCase() === text.toLowerCase());

const declared = (
  body: JsonObject,
  [path, { broken, whole, query }]: readonly [string, Healing],
): readonly Broken[] => {
  const shows = textAt(body, path);
  return shows === undefined || !isAmong(broken, shows)
    ? []
    : [{ path, shows, whole, ...(query !== undefined && { query }) }];
};

/** Whether a state of provisioning says that Azure gave up. */
export const isFailedState = (state: string): boolean => failedStates.has(state.toLowerCase());

/** How a resource that is as wanted in every field is broken all the same; undefined when it is not. */
export const brokenness = ({ heals = {} }: Pick<Rules, "heals">, body: JsonObject): Broken | undefined => {
  const [path, whole] = provisioning;
  const shows = textAt(body, path);
  if (shows !== undefined && isFailedState(shows)) return { path, shows, whole };
  return Object.entries(heals).flatMap((one) => declared(body, one))[0];
};
