import type { QueueStore } from "../journal/queueStore.ts";
import type { Queue } from "../queue/queue.ts";
import type { SubQueueName } from "../queue/storedMessage.ts";
import { parseAddress } from "./address.ts";
import { DeliveryLink } from "./deliveryLink.ts";
import { type Failure, failures } from "./failures.ts";
import type { AmqpLink, AmqpSender } from "./rhea.ts";
import type { WireMessage } from "./wireMessage.ts";

/** What a link is for. */
export type LinkRole =
  | { readonly kind: "tokens" }
  | { readonly kind: "replies" }
  | { readonly kind: "management"; readonly queue: Queue<WireMessage>; readonly place: SubQueueName }
  | { readonly kind: "send"; readonly queue: Queue<WireMessage> }
  | { readonly kind: "receive"; readonly link: DeliveryLink };

type Assigned = LinkRole | { readonly kind: "refused"; readonly failure: Failure };

const sessionFilter = "com.microsoft:session-filter";

const refused = (failure: Failure): Assigned => ({ kind: "refused", failure });
const notFound = (address: string | undefined): Assigned => refused(failures.entityNotFound(address ?? ""));

/** The role of a link on which the client sends. */
export const roleOfClientSender = (link: AmqpLink, store: QueueStore): Assigned => {
  const address = parseAddress(link.target?.address ?? "");
  if (address.kind === "tokens") return address;
  const { place } = address;
  const queue = store.find(address.queue);
  if (!queue) return notFound(link.target?.address);
  if (address.kind === "management") return { kind: "management", queue, place };
  if (place === "deadLetter") return refused(failures.notAllowed("Nothing can be sent to a dead-letter queue."));
  return { kind: "send", queue };
};

/** The role of a link on which the client receives. */
export const roleOfClientReceiver = (link: AmqpSender, store: QueueStore): Assigned => {
  const address = parseAddress(link.source?.address ?? "");
  if (address.kind === "tokens") return { kind: "replies" };
  const queue = store.find(address.queue);
  if (!queue) return notFound(link.source?.address);
  if (address.kind === "management") return { kind: "replies" };
  if (link.source?.filter && sessionFilter in link.source.filter)
    return refused(failures.notAllowed(`The queue ${queue.settings.name} has no sessions; this broker knows none.`));
  return { kind: "receive", link: new DeliveryLink(link, queue, address.place) };
};
