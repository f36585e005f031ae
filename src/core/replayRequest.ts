import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { parseJson } from "./parseJson.ts";
import type { Result } from "./types.ts";
import { type Address, namePatterns } from "./workItem.ts";

/** Where parked messages lie: our own queue, or the broker's for messages that killed the process. */
export type ParkedQueue = "failed" | "deadLetter";

/** Which of the parked messages; all conditions must hold. */
export interface ParkedFilter {
  /** Why it was given up; case does not matter. */
  readonly because?: string;
  readonly olderThanMs?: number;
  readonly newerThanMs?: number;
  /** `Kind/namespace/name` in parts; a part that is left out means any. */
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** What is to be looked at again. */
export type ReplayRequest =
  | { readonly kind: "object"; readonly item: Address }
  | { readonly kind: "queue"; readonly queue: ParkedQueue; readonly most: number; readonly filter: ParkedFilter };

/** A request as it was sent. */
export interface AskedReplay {
  readonly request: ReplayRequest;
  readonly dryRun: boolean;
  /** Why somebody wants it; empty in a dry run only. */
  readonly reason: string;
  /** Of who sends the same request again; the same request enqueues once. */
  readonly requestId?: string;
}

const mostAtOnce = 100;
const { cluster, kind, namespace, name } = namePatterns;
const age = Type.String({ pattern: "^[1-9][0-9]{0,5}[smhd]$" });
const shape = Type.Object(
  {
    object: Type.Optional(
      Type.Object(
        {
          cluster: Type.String({ pattern: cluster }),
          kind: Type.String({ pattern: kind }),
          namespace: Type.String({ pattern: namespace }),
          name: Type.String({ pattern: name }),
        },
        { additionalProperties: false },
      ),
    ),
    queue: Type.Optional(Type.Union([Type.Literal("failed"), Type.Literal("deadLetter")])),
    because: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9]{1,64}$" })),
    olderThan: Type.Optional(age),
    newerThan: Type.Optional(age),
    kind: Type.Optional(Type.String({ pattern: kind })),
    namespace: Type.Optional(Type.String({ pattern: namespace })),
    name: Type.Optional(Type.String({ pattern: name })),
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: mostAtOnce })),
    dryRun: Type.Optional(Type.Boolean()),
    reason: Type.Optional(Type.String({ pattern: "\\S", maxLength: 256 })),
    requestId: Type.Optional(Type.String({ pattern: "^[A-Za-z0-9-]{8,64}$" })),
  },
  { additionalProperties: false },
);
type Body = Static<typeof shape>;

const usage =
  'the body must be JSON with either "object": {"cluster", "kind", "namespace", "name"} or "queue": "failed" | "deadLetter" ' +
  `(with "most" from 1 to ${mostAtOnce}, and of the messages only those "because" of a reason, "olderThan" or "newerThan" such as ` +
  '"90m", or of a "kind", "namespace", "name"); nothing is sent unless "dryRun" is false, and then "reason" says why in up to 256 characters';

const refused = (found: string): Result<never> => ({
  ok: false,
  error: { kind: "badConfiguration", code: "InvalidReplayRequest", message: `${found}: ${usage}` },
});

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90m` in ms; the unit is `s`, `m`, `h` or `d`. Undefined for anything else. */
export const ageMs = (text: string): number | undefined => {
  const unit = unitMs[text.at(-1) ?? ""];
  return unit === undefined || !Value.Check(age, text) ? undefined : Number(text.slice(0, -1)) * unit;
};

const filterOf = ({
  because,
  olderThan,
  newerThan,
  kind: ofKind,
  namespace: within,
  name: called,
}: Body): ParkedFilter => ({
  ...(because !== undefined && { because }),
  ...(olderThan !== undefined && { olderThanMs: ageMs(olderThan) ?? 0 }),
  ...(newerThan !== undefined && { newerThanMs: ageMs(newerThan) ?? 0 }),
  ...(ofKind !== undefined && { kind: ofKind }),
  ...(within !== undefined && { namespace: within }),
  ...(called !== undefined && { name: called }),
});

const requestOf = (body: Body): ReplayRequest | string => {
  const { object, queue, most = mostAtOnce } = body;
  const filter = filterOf(body);
  if (object !== undefined && queue !== undefined) return "object and queue are both given";
  if (queue !== undefined) return { kind: "queue", queue, most, filter };
  if (object === undefined) return "neither object nor queue is given";
  return Object.keys(filter).length === 0 && body.most === undefined
    ? { kind: "object", item: object }
    : "an object is named, so there is nothing to choose from";
};

/** The body of a replay request. A dry run is the default: nothing is sent by mistake, or without a reason. */
export const parseReplayRequest = (text: string): Result<AskedReplay> => {
  const body = parseJson(text);
  if (body === undefined) return refused("the body is no JSON");
  if (!Value.Check(shape, body)) return refused("the body has another form");
  const { dryRun = true, reason = "", requestId } = body;
  const request = requestOf(body);
  if (typeof request === "string") return refused(request);
  if (!dryRun && reason === "") return refused("no reason is given");
  return { ok: true, value: { request, dryRun, reason, ...(requestId !== undefined && { requestId }) } };
};
