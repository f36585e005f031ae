import { withoutTagsPath } from "../core/apply/tagsAtScope.ts";
import { cutText } from "../core/cutText.ts";
import { idKey } from "../core/ids.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Change, Json, JsonObject, ResourceId } from "../core/types.ts";
import { type Exchange, isTrouble } from "./exchange.ts";
import type { Work } from "./work.ts";

/** One write to Azure, as history tells it: which fields, from what to what, who caused it. Secrets are blanked. */
export interface Explained {
  readonly id: ResourceId;
  readonly method: string;
  readonly cause: string;
  /** Field manager that last changed the spec, as far as the object says. */
  readonly writer?: string;
  readonly creating: boolean;
  readonly changes: readonly Change[];
}

/** A resource that the loop guard holds back, or that is refused. */
export interface Held {
  readonly id: ResourceId;
  readonly reason: string;
  readonly message: string;
}

/** From the intent that was stored before the write was sent. */
export const explained = ({ id, intent, writes }: ResourceRow): readonly Explained[] => {
  if (intent === undefined) return [];
  const { method, cause, creating, changes, planHash } = intent;
  const writer = writes.findLast((write) => write.planHash === planHash)?.writer;
  return [{ id, method, cause, ...(writer !== undefined && { writer }), creating, changes }];
};

const mostChanges = 50;
/** In UTF-16 units. */
const mostOf = { value: 1_024, path: 512, message: 2_048, code: 128 } as const;

/** A value that is short enough stays as it is; of any other the beginning of its JSON. */
const shortened = (value: Json): Json => {
  const text = JSON.stringify(value) ?? "null";
  return text.length <= mostOf.value ? value : cutText(text, mostOf.value);
};

const toldChange = ({ path, from, to, effect }: Change): JsonObject => ({
  path: cutText(path, mostOf.path),
  from: shortened(from),
  to: shortened(to),
  effect,
});

const resourceOf = ({ path }: Exchange): string => idKey(withoutTagsPath(path));
const isWrite = ({ method }: Exchange): boolean => method === "PUT" || method === "PATCH" || method === "DELETE";

/** One request: its outcome, and the ids under which Azure knows it. */
const toldExchange = ({ method, status, failure, requestId, correlationId }: Exchange): JsonObject => ({
  method,
  ...(status !== undefined && { status }),
  ...(failure !== undefined && {
    code: cutText(failure.code, mostOf.code),
    message: cutText(failure.message, mostOf.message),
  }),
  ...(requestId !== undefined && { requestId: cutText(requestId, mostOf.code) }),
  ...(correlationId !== undefined && { correlationId: cutText(correlationId, mostOf.code) }),
});

const toldWrite = (
  { id, method, cause, writer, creating, changes }: Explained,
  of: readonly Exchange[],
): JsonObject => ({
  id,
  method,
  cause,
  ...(writer !== undefined && { writer: cutText(writer, mostOf.code) }),
  creating,
  changes: changes.slice(0, mostChanges).map(toldChange),
  ...(changes.length > mostChanges && { more: changes.length - mostChanges }),
  requests: of.map(toldExchange),
});

/** A write whose turn came to no good end: what it changed stands in its row's intent, not here. */
const unexplained = (exchange: Exchange, cause: string): JsonObject => ({
  id: exchange.path,
  method: exchange.method,
  cause,
  changes: [],
  requests: [toldExchange(exchange)],
});

/** As many as fit into so many UTF-16 units of JSON, oldest first. */
export const fitting = (list: readonly JsonObject[], most: number): readonly JsonObject[] => {
  let left = most;
  return list.filter((one) => {
    left -= JSON.stringify(one).length;
    return left >= 0;
  });
};

/** Writes with the requests that were sent for them. */
export const toldWrites = (
  wrote: readonly Explained[],
  exchanges: readonly Exchange[],
  cause: string,
): readonly JsonObject[] => {
  const sent = exchanges.filter(isWrite);
  const known = new Set(wrote.map(({ id }) => idKey(id)));
  const strays = sent.filter((one) => !known.has(resourceOf(one)));
  return [
    ...wrote.map((one) =>
      toldWrite(
        one,
        sent.filter((exchange) => resourceOf(exchange) === idKey(one.id)),
      ),
    ),
    ...strays.map((one) => unexplained(one, cause)),
  ];
};

/** Failures of single resources: whatever Azure refused, also when the turn itself went through. */
export const toldTroubles = (exchanges: readonly Exchange[]): readonly JsonObject[] =>
  exchanges.filter(isTrouble).map((one) => ({ id: cutText(one.path, mostOf.value), ...toldExchange(one) }));

export const toldHolds = (held: readonly Held[]): readonly JsonObject[] =>
  held.map(({ id, reason, message }) => ({ id, reason, message: cutText(message, mostOf.message) }));

/** Reasons under which the loop guard holds a write back. */
const loops: ReadonlySet<string> = new Set(["ReconcileLoop", "SpecContested", "TagContested", "ChangedOften"]);

/** What the loop guard holds back among the resources of an object. */
export const heldBack = (work: Work): readonly Held[] =>
  [...work.values()].flatMap(({ desired, state }) =>
    (state?.kind === "failed" || state?.kind === "refused") && loops.has(state.reason)
      ? [{ id: desired.id, reason: state.reason, message: state.message }]
      : [],
  );
