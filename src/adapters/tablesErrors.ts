import type { Failure } from "../core/types.ts";

export interface TableError {
  readonly status: number | undefined;
  readonly code: string;
  /** Of a transaction: the place of the action that was refused. */
  readonly index: number | undefined;
}

const at = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(
    (found: unknown, name) => (typeof found === "object" && found !== null ? Reflect.get(found, name) : undefined),
    value,
  );

const textIn = (values: readonly unknown[]): string | undefined => values.find((value) => typeof value === "string");

/** What the client threw: single writes and transactions keep code and message in different places. */
export const tableError = (error: unknown): TableError => {
  const status = at(error, "statusCode");
  const code = textIn([at(error, "details", "odataError", "code"), at(error, "code"), at(error, "name")]);
  const message = textIn([at(error, "details", "odataError", "message", "value"), at(error, "message")]);
  const index = /^(\d+):/.exec(message ?? "")?.[1];
  return {
    status: typeof status === "number" ? status : undefined,
    code: code ?? "unknown",
    index: index === undefined ? undefined : Number(index),
  };
};

/** Errors before anything was sent. */
const neverSent = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|CredentialUnavailableError|AuthenticationError|AADSTS\d+)$/;

const other = ({ status, code }: TableError): Failure => {
  if (status === undefined)
    return { kind: "transient", code: "NoAnswer", message: `no answer from the tables (${code})` };
  const message = `the tables answered ${status} (${code})`;
  if (status === 401 || status === 403) return { kind: "auth", code, message, status };
  if (status === 429 || status === 408 || status >= 500) return { kind: "transient", code, message, status };
  // A table that is being deleted can be made again in half a minute.
  return { kind: status === 409 ? "transient" : "badConfiguration", code, message, status };
};

export const readFailure = (error: TableError): Failure => other(error);

/** Lost races, whatever the service calls them: a row that is there, one that is gone, one that was changed. */
const lostRaces: ReadonlySet<string> = new Set([
  "EntityAlreadyExists",
  "UpdateConditionNotSatisfied",
  "ConditionNotMet",
  "ResourceNotFound",
  "EntityNotFound",
]);

export const writeFailure = (error: TableError): Failure => {
  const { status, code } = error;
  if (status === 412 || ((status === 409 || status === 404) && lostRaces.has(code))) {
    return { kind: "conflict", code: "PreconditionFailed", message: `somebody else wrote first (${code})`, status };
  }
  const unknown = status === undefined ? !neverSent.test(code) : status >= 500 || status === 408;
  if (!unknown) return other(error);
  const message = `the tables gave no answer that tells whether it was written (${code})`;
  return { kind: "transient", code: "OutcomeUnknown", message };
};
