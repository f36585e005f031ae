import type { ParkedFilter, ParkedQueue } from "../core/replayRequest.ts";
import type { Json, Result } from "../core/types.ts";
import { parseWorkItem, type WorkItem } from "../core/workItem.ts";
import { isJsonObject } from "../wire/json.ts";

/** A message that was given up and waits for somebody to decide. */
export interface ParkedMessage {
  readonly messageId: string;
  readonly body: Json;
  /** Why it was given up, as far as the broker or the sender said; empty when neither did. */
  readonly reason: string;
  /** RFC 3339; empty when nobody knows. */
  readonly enqueuedAt: string;
}

/** A parked message that is held: nobody else gets it until it is settled or its lock ends. */
export interface HeldMessage extends ParkedMessage {
  complete(): Promise<void>;
  abandon(): Promise<void>;
}

/** Where parked messages are looked at (`peek`) and taken (`receive`), the oldest first. */
export interface Parked {
  peek(queue: ParkedQueue, most: number): Promise<Result<readonly ParkedMessage[]>>;
  receive(queue: ParkedQueue, most: number): Promise<Result<readonly HeldMessage[]>>;
}

const textAt = (body: Json, field: string): string => {
  const value = isJsonObject(body) ? body[field] : undefined;
  return typeof value === "string" ? value : "";
};

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The copies in our own queue wrap the message that they stand for; one that could not be read then stands there as text. */
export const itemIn = ({ body }: ParkedMessage): Result<WorkItem> => {
  const wrapped = (isJsonObject(body) ? body["item"] : undefined) ?? body;
  return parseWorkItem(typeof wrapped === "string" ? parseText(wrapped) : wrapped);
};

/** Why it was given up. */
export const reasonOf = ({ reason, body }: ParkedMessage): string => reason || textAt(body, "reason") || "unknown";

const sameWord = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();

const isOfAge = (enqueuedAt: string, { olderThanMs, newerThanMs }: ParkedFilter, nowMs: number): boolean => {
  if (olderThanMs === undefined && newerThanMs === undefined) return true;
  const forMs = nowMs - Date.parse(enqueuedAt);
  return forMs >= (olderThanMs ?? 0) && forMs <= (newerThanMs ?? Number.POSITIVE_INFINITY);
};

/** Whether a message is among those that were asked for. One whose age nobody knows is none of a certain age. */
export const isAskedFor = (message: ParkedMessage, filter: ParkedFilter, nowMs: number): boolean => {
  const { because, kind, namespace, name } = filter;
  const [word = ""] = reasonOf(message).split(/[^A-Za-z0-9]/, 1);
  if (because !== undefined && !sameWord(word, because)) return false;
  if (!isOfAge(message.enqueuedAt, filter, nowMs)) return false;
  const item = itemIn(message);
  const named = [
    [kind, item.ok ? item.value.kind : undefined],
    [namespace, item.ok ? item.value.namespace : undefined],
    [name, item.ok ? item.value.name : undefined],
  ] as const;
  return named.every(([asked, found]) => asked === undefined || asked === found);
};
