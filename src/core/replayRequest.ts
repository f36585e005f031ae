import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Result } from "./types.ts";
import { type Address, namePatterns } from "./workItem.ts";

/** Where parked messages lie: our own queue, or the broker's for messages that killed the process. */
export type ParkedQueue = "failed" | "deadLetter";

/** What is to be looked at again. */
export type ReplayRequest =
  | { readonly kind: "object"; readonly item: Address }
  | { readonly kind: "queue"; readonly queue: ParkedQueue; readonly most: number };

const mostAtOnce = 100;
const { cluster, kind, namespace, name } = namePatterns;
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
    most: Type.Optional(Type.Integer({ minimum: 1, maximum: mostAtOnce })),
    dryRun: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);

const usage =
  'the body must be JSON with either "object": {"cluster", "kind", "namespace", "name"} or "queue": "failed" | "deadLetter" ' +
  `(with "most" from 1 to ${mostAtOnce}), and optionally "dryRun": false; without that nothing is sent`;

const refused = (found: string): Result<never> => ({
  ok: false,
  error: { kind: "badConfiguration", code: "InvalidReplayRequest", message: `${found}: ${usage}` },
});

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The body of a replay request. A dry run is the default: nothing is sent by mistake. */
export const parseReplayRequest = (
  text: string,
): Result<{ readonly request: ReplayRequest; readonly dryRun: boolean }> => {
  const body = parseText(text);
  if (body === undefined) return refused("the body is no JSON");
  if (!Value.Check(shape, body)) return refused("the body has another form");
  const { object, queue, most = mostAtOnce, dryRun = true } = body;
  if (object !== undefined && queue === undefined)
    return { ok: true, value: { request: { kind: "object", item: object }, dryRun } };
  if (queue !== undefined && object === undefined)
    return { ok: true, value: { request: { kind: "queue", queue, most }, dryRun } };
  return refused(object === undefined ? "neither object nor queue is given" : "object and queue are both given");
};
