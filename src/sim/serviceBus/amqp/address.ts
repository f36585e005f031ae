import type { SubQueueName } from "../queue/storedMessage.ts";

/** What a link address names. */
export type Address =
  | { readonly kind: "tokens" }
  | { readonly kind: "management" | "entity"; readonly queue: string; readonly place: SubQueueName };

/** Reads `$cbs`, `<queue>`, `<queue>/$DeadLetterQueue` and either of the last two with `/$management`. */
export const parseAddress = (address: string): Address => {
  if (address.toLowerCase() === "$cbs") return { kind: "tokens" };
  const [, path = "", management] = /^\/*(.*?)(\/\$management)?$/i.exec(address) ?? [];
  const [, queue = "", deadLetter] = /^(.*?)(\/\$deadletterqueue)?$/i.exec(path) ?? [];
  return { kind: management ? "management" : "entity", queue, place: deadLetter ? "deadLetter" : "main" };
};
