import { ok, type Parsed, problem } from "./parsed.ts";

/** App settings by name, as the Functions host gives them to an app in its environment. */
export type Settings = Readonly<Record<string, string>>;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Settings from parsed JSON: the `Values` of a `local.settings.json`, or a plain record. Scalars become text. */
export const parseSettings = (json: unknown): Parsed<Settings> => {
  const values = isRecord(json) && isRecord(json["Values"]) ? json["Values"] : json;
  if (!isRecord(values)) return problem("settings are not a JSON object");
  const entries = Object.entries(values);
  const wrong = entries.filter(([, value]) => !["string", "number", "boolean"].includes(typeof value));
  return wrong.length === 0
    ? ok(Object.fromEntries(entries.map(([name, value]) => [name, String(value)])))
    : problem(...wrong.map(([name]) => `setting ${name} is not text`));
};

/** Replaces each `%NAME%` by the setting of that name; a missing one is a problem. */
export const resolveSettings = (text: string, settings: Settings): Parsed<string> => {
  const missing = [...text.matchAll(/%([^%]+)%/g)].map(([, name = ""]) => name).filter((name) => !settings[name]);
  return missing.length === 0
    ? ok(text.replaceAll(/%([^%]+)%/g, (_, name: string) => settings[name] ?? ""))
    : problem(...missing.map((name) => `setting ${name}, named in "${text}", is missing`));
};
