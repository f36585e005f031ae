import { annotations } from "../../core/annotations.ts";
import { idKey, parseId } from "../../core/ids.ts";
import type { Result } from "../../core/types.ts";

/** Who gives an order, when and why; it stands in the annotation's value. */
export interface Giver {
  readonly who: string;
  readonly nowMs: number;
  readonly reason?: string;
}

/** What is asked of an object. */
export type Order =
  | { readonly kind: "retry" | "release" | "hold" | "unhold" }
  | { readonly kind: "adopt" | "abandon"; readonly ids: readonly string[] }
  /** Takes back what `adopt` or `abandon` said. */
  | { readonly kind: "noAdopt" | "noAbandon" };

/** The annotation that an order changes: its name, its new value (null: taken off), and what will happen. */
export interface Change {
  readonly name: string;
  readonly value: string | null;
  /** For people, a line each. */
  readonly says: readonly string[];
}

/** Annotations together hold 256 KiB; this leaves room for those of others. */
const mostCharacters = 64 * 1024;
const mostReason = 256;

const signature = ({ who, nowMs, reason }: Giver): string => {
  const when = new Date(nowMs).toISOString().replace(/\.\d+/, "");
  // Commas part the ids, and a name must not look like one.
  const clean = (text: string): string => text.replaceAll(/[,/\p{Cc}]+/gu, " ").trim();
  return `by ${clean(who)} at ${when}${reason === undefined ? "" : `: ${clean(reason).slice(0, mostReason).toWellFormed()}`}`;
};

const idsIn = (value: string | undefined): readonly string[] =>
  (value ?? "")
    .split(",")
    .map((text) => text.trim())
    .filter((text) => parseId(text) !== undefined);

const withIds = (
  kind: "adopt" | "abandon",
  given: readonly string[],
  present: string | undefined,
  giver: Giver,
): Result<Change, string> => {
  const wrong = given.find((id) => parseId(id) === undefined || id.includes(","));
  if (wrong !== undefined) return { ok: false, error: `"${wrong}" is no id of an Azure resource: /subscriptions/…` };
  if (given.length === 0) return { ok: false, error: "which resources? --id /subscriptions/…" };
  const ids = [...new Map([...idsIn(present), ...given].map((id) => [idKey(id), id])).values()].toSorted();
  const value = [...ids, signature(giver)].join(",");
  if (value.length > mostCharacters)
    return { ok: false, error: `the annotation would be longer than ${mostCharacters} characters` };
  const will =
    kind === "adopt"
      ? "gets the owner tag, is then kept as the spec says, and is deleted with the object"
      : "stays in Azure when the object is deleted, with all that is in it, and nobody looks after it any more";
  return { ok: true, value: { name: annotations[kind], value, says: ids.map((id) => `${id} ${will}`) } };
};

const simple = (name: string, value: string | null, says: string): Result<Change, string> => ({
  ok: true,
  value: { name, value, says: [says] },
});

/** What an order does to the annotations that an object has. Fails with what is wrong with the order. */
export const changeOf = (
  order: Order,
  present: Readonly<Record<string, string>>,
  giver: Giver,
): Result<Change, string> => {
  switch (order.kind) {
    case "retry":
      return simple(annotations.retry, signature(giver), "is tried again now, whatever it was waiting for");
    case "release":
      return simple(annotations.release, signature(giver), "goes on now: what the loop guard counted is forgotten");
    case "hold":
      return simple(annotations.hold, signature(giver), "is held: Azure is read, and nothing is written to it");
    case "unhold":
      return simple(
        annotations.hold,
        null,
        present[annotations.hold] === undefined ? "was not held" : "goes on: writes to Azure are allowed again",
      );
    case "adopt":
    case "abandon":
      return withIds(order.kind, order.ids, present[annotations[order.kind]], giver);
    case "noAdopt":
      return simple(annotations.adopt, null, "adopts nothing any more; what was adopted stays so");
    case "noAbandon":
      return simple(annotations.abandon, null, "leaves nothing behind when it is deleted");
  }
};
