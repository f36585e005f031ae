import { cutText } from "./cutText.ts";
import { hashOf } from "./hash.ts";
import type { KubeObject } from "./types.ts";

/** One thing that happened to an object, as `kubectl describe` lists it. */
export interface KubeEvent {
  readonly type: "Normal" | "Warning";
  /** One of `reasons`. */
  readonly reason: string;
  /** What of the object it is about: a resource id, or a condition's type. The same of the same is counted. */
  readonly about: string;
  /** Cut at 1,024 characters. */
  readonly message: string;
  /** Table-service time. */
  readonly atMs: number;
}

/** Field by field as the API server keeps it (core/v1 Event). */
export interface ToldEvent {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly involvedObject: Readonly<Record<"apiVersion" | "kind" | "namespace" | "name" | "uid", string>>;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  readonly firstTimestamp: string;
  readonly lastTimestamp: string;
}

/** The limit of https://kubernetes.io/docs/reference/kubernetes-api/cluster-resources/event-v1/ */
const longestMessage = 1_024;
/** With the hash within the 253 characters of a name. */
const longestStem = 200;

/** Events of objects without a namespace stand in this one. */
export const eventNamespace = ({ metadata }: Pick<KubeObject, "metadata">): string => metadata.namespace || "default";

/** Equal for what is counted as one, so that an object has no more events than things to tell of. */
export const eventName = ({ metadata: { name, uid } }: KubeObject, event: KubeEvent): string =>
  `${name.slice(0, longestStem).replace(/[-.]+$/, "")}.${hashOf([uid, event.type, event.reason, event.about]).slice(0, 16)}`;

/** To the second, as Kubernetes writes times. */
const timeText = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** The event with what stood there before it, counted on; the latest message stands. */
export const toldEvent = (
  object: KubeObject,
  event: KubeEvent,
  before: Partial<Pick<ToldEvent, "count" | "firstTimestamp">> | undefined,
): ToldEvent => {
  const { apiVersion, kind, metadata } = object;
  const { namespace, name, uid } = metadata;
  const lastTimestamp = timeText(event.atMs);
  return {
    metadata: { name: eventName(object, event), namespace: eventNamespace(object) },
    involvedObject: { apiVersion, kind, namespace, name, uid },
    type: event.type,
    reason: event.reason,
    message: cutText(event.message, longestMessage),
    count: (before?.count ?? 0) + 1,
    firstTimestamp: before?.firstTimestamp ?? lastTimestamp,
    lastTimestamp,
  };
};
