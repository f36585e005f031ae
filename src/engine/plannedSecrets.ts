import { blanked } from "../core/apply/blanked.ts";
import type { Planned, RunnableKind } from "../core/runnableKind.ts";
import type { Json } from "../core/types.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";
import type { Deps } from "./deps.ts";

const textsOf = (json: Json): readonly string[] => {
  if (typeof json === "string") return [json];
  if (isJsonList(json)) return json.flatMap(textsOf);
  return isJsonObject(json) ? Object.values(json).flatMap(textsOf) : [];
};

/** Texts of a value that do not stand in what is shown of it. */
const hidden = (value: Json, shown: Json | undefined): readonly string[] => {
  if (isJsonList(value) && isJsonList(shown ?? null))
    return value.flatMap((item, index) => hidden(item, (shown as readonly Json[])[index]));
  if (isJsonObject(value) && shown !== undefined && isJsonObject(shown))
    return Object.entries(value).flatMap(([name, item]) => hidden(item, shown[name]));
  return value === shown ? [] : textsOf(value);
};

/** Every secret in the bodies that a plan wants: Azure may speak of one in a turn that does not send it. */
export const secretsOfPlan = async ({ services }: Planned, schemaOf: Deps["schema"]): Promise<readonly string[]> => {
  const texts: string[] = [];
  for (const { service, desired } of services) {
    if (desired.length === 0) continue;
    const schema = await schemaOf(service.type);
    texts.push(...desired.flatMap((one) => hidden(one.body, blanked(schema, service.rules, one, one.body))));
  }
  return texts;
};

/** The kind, which tells `onPlan` of every plan that it makes. */
export const withPlansTold = (kind: RunnableKind, onPlan: (planned: Planned) => void): RunnableKind => ({
  ...kind,
  read: (input) => {
    const reading = kind.read(input);
    return {
      ...reading,
      plan: (facts) => {
        const planned = reading.plan(facts);
        if (planned.ok) onPlan(planned.value);
        return planned;
      },
    };
  },
});
