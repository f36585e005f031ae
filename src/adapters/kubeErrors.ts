import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Failure, FailureClass } from "../core/types.ts";

/** What a request was about, to tell whether a 404 means that object or something around it. */
export interface KubeSubject {
  readonly plural: string;
  /** Absent for a list. */
  readonly name?: string;
}

const status = Type.Object({
  kind: Type.Literal("Status"),
  message: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  details: Type.Optional(
    Type.Object({
      name: Type.Optional(Type.String()),
      kind: Type.Optional(Type.String()),
      retryAfterSeconds: Type.Optional(Type.Number()),
      causes: Type.Optional(
        Type.Array(Type.Object({ reason: Type.Optional(Type.String()), field: Type.Optional(Type.String()) })),
      ),
    }),
  ),
});
type Status = Type.Static<typeof status>;

/** The body of a refusal. A proxy in between, or a path that is not served, answers with plain text. */
const parseStatus = (text: string): Status | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(status, value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const namesSubject = (told: Status | undefined, subject: KubeSubject): boolean =>
  subject.name !== undefined && told?.details?.name === subject.name && told.details.kind === subject.plural;

/** An apply that means another object than the one that now has the name; said as 409 or, when it exists, as 422. */
const isOtherObject = (told: Status | undefined): boolean =>
  /uid mismatch|\bUID in precondition\b/i.test(told?.message ?? "") ||
  told?.details?.causes?.some(({ field }) => field === "metadata.uid") === true;

/** An apply of a field that the schema lacks is answered with 500 and no reason; to try again would not help. */
const isUnknownField = (told: Status | undefined): boolean =>
  /field not declared in schema|failed to create typed patch object/.test(told?.message ?? "");

interface Verdict {
  readonly kind: FailureClass;
  readonly code: string;
}

const conflict = (told: Status | undefined): Verdict => {
  const ofFields = told?.details?.causes?.some(({ reason }) => reason === "FieldManagerConflict") === true;
  return { kind: "conflict", code: ofFields ? "FieldManagerConflict" : (told?.reason ?? "Conflict") };
};

const judge = (httpStatus: number, told: Status | undefined, subject: KubeSubject): Verdict => {
  const reason = told?.reason ?? `Http${httpStatus}`;
  if (httpStatus === 404) {
    return namesSubject(told, subject)
      ? { kind: "gone", code: "NotFound" }
      : { kind: "dependency", code: "KindOrNamespaceNotFound" };
  }
  if (httpStatus === 401 || httpStatus === 403) return { kind: "auth", code: reason };
  if ((httpStatus === 409 || httpStatus === 422) && isOtherObject(told))
    return { kind: "conflict", code: "UidMismatch" };
  if (httpStatus === 409) return conflict(told);
  if (httpStatus === 410) return { kind: "transient", code: told?.reason ?? "Expired" };
  if (httpStatus >= 500 && isUnknownField(told)) return { kind: "badConfiguration", code: "UnknownField" };
  if (httpStatus === 408 || httpStatus === 429 || httpStatus >= 500) return { kind: "transient", code: reason };
  return { kind: "badConfiguration", code: reason };
};

const secondsOf = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d+$/.test(header) ? Number(header) : undefined;

/** A refusal of an API server as a Failure. `gone` only when the answer names the subject itself as missing. */
export const kubeFailure = (
  answer: { readonly status: number; readonly text: string; readonly retryAfter?: string },
  subject: KubeSubject,
): Failure => {
  const told = parseStatus(answer.text);
  const after = told?.details?.retryAfterSeconds ?? secondsOf(answer.retryAfter);
  return {
    ...judge(answer.status, told, subject),
    message: told?.message ?? `the API server answered ${answer.status} to a request for ${subject.plural}`,
    status: answer.status,
    ...(after !== undefined && { retryAfterSeconds: after }),
  };
};

/** No answer of the API server: a cut connection, a time-out. Has no status. */
export const noKubeAnswer = (error: unknown): Failure => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const word =
    cause instanceof Error ? ("code" in cause && typeof cause.code === "string" ? cause.code : cause.name) : "";
  // Messages of the HTTP client may hold the URL of the server; its error code says as much.
  return { kind: "transient", code: "NoAnswer", message: `no answer from the API server (${word || "unknown"})` };
};
