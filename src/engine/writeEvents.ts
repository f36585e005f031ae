import { cutText } from "../core/cutText.ts";
import { parseId, typeOf } from "../core/ids.ts";
import type { KubeEvent } from "../core/kubeEvent.ts";
import type { Change, Json, ResourceId } from "../core/types.ts";
import type { Explained } from "./explained.ts";

/** Of a value's JSON, in UTF-16 units: a message has room for a few changes. */
const longestValue = 120;

const valueText = (value: Json): string => cutText(JSON.stringify(value) ?? "null", longestValue);

const changeText = ({ path, from, to, effect }: Change): string =>
  `${path} from ${valueText(from)} to ${valueText(to)}${effect === "inPlace" ? "" : ` (${effect})`}`;

/** `virtualNetworks/demo-vnet/subnets/nodes`; a resource group by its type and name too. */
const shortName = (id: ResourceId): string => {
  const names = parseId(id)?.names ?? [];
  const [, ...types] = typeOf(id)?.split("/") ?? [];
  return types.length === 0 ? id : types.map((type, at) => `${type}/${names[at] ?? ""}`).join("/");
};

/** Why it was written, and by whose hand the spec is as it is. */
const causeText = ({ cause, writer }: Explained): string =>
  `cause: ${cause}${writer === undefined ? "" : `, spec last written by ${writer}`}`;

type Told = Omit<KubeEvent, "atMs">;

const isNew = ({ creating, method }: Explained): boolean => creating && method !== "DELETE";

/** What is new is all new, and what goes goes with all of it: the fields of these say little. */
const deedText = (one: Explained): string => {
  if (isNew(one)) return `creating ${shortName(one.id)}`;
  return `${one.method === "DELETE" ? "deleting" : "updating"} ${shortName(one.id)}`;
};

const reasonOf = (one: Explained): Told["reason"] => {
  if (isNew(one)) return "Creating";
  return one.method === "DELETE" ? "Deleting" : "Updating";
};

const eventOf = (one: Explained): Told => {
  const fields = reasonOf(one) === "Updating" ? one.changes.map(changeText) : [];
  const message = [`${deedText(one)} (${causeText(one)})`, fields.join("; ")].filter((part) => part !== "").join(": ");
  return { type: "Normal", reason: reasonOf(one), about: one.id, message };
};

/** Of one turn. What is more is told together. */
const mostAlone = 9;

/**
 * What a turn has sent to Azure, for `kubectl describe`: one event for each resource, with fields, values and cause. What
 * is written again is counted at the event that tells of it already.
 */
export const writeEvents = (wrote: readonly Explained[]): readonly Told[] => {
  const alone = wrote.slice(0, wrote.length > mostAlone + 1 ? mostAlone : wrote.length);
  const [first, ...others] = wrote.slice(alone.length);
  if (first === undefined) return alone.map(eventOf);
  const message = `${[first, ...others].map(deedText).join(", ")} (${causeText(first)})`;
  return [...alone.map(eventOf), { ...eventOf(first), about: "more", message }];
};
