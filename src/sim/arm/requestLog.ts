import { isObject, type Json } from "./json.ts";

/** One request as the log keeps it; the body's secrets are blanked. */
export interface LoggedRequest {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly apiVersion?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly body?: Json;
  /** 0 when the connection was cut. */
  readonly status: number;
  readonly errorCode?: string;
  readonly correlationId: string;
  readonly requestId: string;
  /** What the `validate` hook said about a write. */
  readonly findings?: readonly unknown[];
}

const secretNames =
  /^(adminPassword|customData|userData|secret|protectedSettings|password|clientSecret|connectionString|sharedKey|certificateData|[A-Za-z]*(Password|Secret|ConnectionString))$/;

/** The same value with every secret leaf as "***"; public keys stay. */
export const blanked = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(blanked);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      secretNames.test(name) && item !== null && item !== "" ? "***" : blanked(item),
    ]),
  );
};
