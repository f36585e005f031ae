import { eventName, type KubeEvent, type ToldEvent, toldEvent } from "../../core/kubeEvent.ts";
import type { KubeObject } from "../../core/types.ts";

/** Events of an API server in memory; they never expire. */
export interface MemoryEvents {
  /** In the order in which they were first told. */
  all(): readonly ToldEvent[];
  tell(object: KubeObject, event: KubeEvent): void;
}

export const memoryEvents = (): MemoryEvents => {
  const events = new Map<string, ToldEvent>();
  return {
    all: () => [...events.values()],
    tell: (object, event) => {
      const key = `${object.metadata.namespace}/${eventName(object, event)}`;
      events.set(key, toldEvent(object, event, events.get(key)));
    },
  };
};
