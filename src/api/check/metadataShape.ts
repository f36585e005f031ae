import type { Json } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { typeOf } from "./checkScalar.ts";
import { type Finding, finding, type Step } from "./finding.ts";

/**
 * The types of the fields of metadata
 * (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/object-meta/).
 */

/** RFC 3339 as Go reads it (https://pkg.go.dev/time#Parse): with an hour of one digit, and with a comma for a point. */
const written = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,]\d+)?(?:Z|[+-](\d\d):(\d\d))$/;

const isTime = (text: string): boolean => {
  const found = written.exec(text);
  if (found === null) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, zoneHour = 0, zoneMinute = 0] = found
    .slice(1)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && month > 0;
  return isDay && hour < 24 && minute < 60 && second < 60 && zoneHour <= 24 && zoneMinute <= 60;
};

type Shape = (value: Json, steps: readonly Step[]) => readonly Finding[];

const wrongType = (value: Json, steps: readonly Step[], type: string): readonly Finding[] => [
  finding("metadata", steps, `must be of type ${type}: "${typeOf(value)}"`, value),
];
// Null means absent in all of metadata.
const scalar =
  (type: "string" | "boolean" | "integer"): Shape =>
  (value, steps) =>
    value === null || typeOf(value) === type ? [] : wrongType(value, steps, type);
const text = scalar("string");
const time: Shape = (value, steps) =>
  value === null || (typeof value === "string" && isTime(value))
    ? []
    : [finding("metadata", steps, "must be of type date-time", value)];
const texts: Shape = (value, steps) => {
  if (value === null) return [];
  if (!isObject(value)) return wrongType(value, steps, "object");
  return Object.entries(value).flatMap(([key, inner]) => text(inner, [...steps, { key }]));
};
const listOf =
  (item: Shape): Shape =>
  (value, steps) => {
    if (value === null) return [];
    return Array.isArray(value)
      ? value.flatMap((inner: Json, i) => item(inner, [...steps, i]))
      : wrongType(value, steps, "array");
  };
const fieldsOf =
  (fields: Readonly<Record<string, Shape>>): Shape =>
  (value, steps) => {
    if (value === null) return [];
    if (!isObject(value)) return wrongType(value, steps, "object");
    return Object.entries(fields).flatMap(([name, shape]) =>
      Object.hasOwn(value, name) ? shape(value[name] ?? null, [...steps, name]) : [],
    );
  };

/** Everything in metadata whose type is none that Kubernetes can read; the API server then reads nothing of the object. */
export const metadataShape: Shape = fieldsOf({
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: scalar("integer"),
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: scalar("integer"),
  labels: texts,
  annotations: texts,
  finalizers: listOf(text),
  ownerReferences: listOf(
    fieldsOf({
      apiVersion: text,
      kind: text,
      name: text,
      uid: text,
      controller: scalar("boolean"),
      blockOwnerDeletion: scalar("boolean"),
    }),
  ),
  managedFields: listOf(
    fieldsOf({
      manager: text,
      operation: text,
      apiVersion: text,
      time,
      fieldsType: text,
      fieldsV1: () => [],
      subresource: text,
    }),
  ),
});
