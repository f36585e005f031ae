import type { TSchema } from "typebox";
import { rulesKey } from "../schema.ts";

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isAboutChange = (rule: unknown): boolean =>
  isRecord(rule) && typeof rule["rule"] === "string" && /\boldSelf\b/.test(rule["rule"]);

const kept = (key: string, value: unknown): unknown => {
  if (key === rulesKey && Array.isArray(value)) {
    const rules = value.filter((rule) => !isAboutChange(rule));
    return rules.length > 0 ? rules : undefined;
  }
  return isRecord(value) ? copied(value) : value;
};

// TypeBox marks its schemas with hidden properties, which a spread would lose.
const copied = (value: object): object => {
  const descriptors = Object.getOwnPropertyDescriptors(value);
  for (const [key, descriptor] of Object.entries(descriptors)) {
    if (!descriptor.enumerable) continue;
    const next = kept(key, descriptor.value);
    if (next === undefined) Reflect.deleteProperty(descriptors, key);
    else descriptor.value = next;
  }
  return Object.create(Object.getPrototypeOf(value) as object, descriptors) as object;
};

/**
 * The schema without its rules about changes. A template has the fields of what it makes, but whether it may change is
 * for a policy to say: a rule in the definition would also refuse the dry runs by which Cluster API finds out whether a
 * template must be replaced.
 */
export const stateRulesOnly = <Schema extends TSchema>(schema: Schema): Schema => copied(schema) as Schema;
