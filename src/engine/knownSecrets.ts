import { redacted } from "../wire/redact.ts";

/** The secrets that a turn has come across, to be blanked in all that it says. */
export interface KnownSecrets {
  readonly learn: (values: readonly string[]) => void;
  /** The text with every known secret, in whatever spelling, replaced by `"***"`. */
  readonly blank: (text: string) => string;
}

/** Shorter ones cannot be told from words. No credential of Azure or Kubernetes is that short. */
const shortest = 4;
/** Of one line of a secret with several: shorter ones are its syntax. */
const shortestLine = 16;

const escaped = (value: string): string => JSON.stringify(value).slice(1, -1);
const linesOf = (value: string): readonly string[] =>
  value.includes("\n") ? value.split(/\r?\n/).filter((line) => line.trim().length >= shortestLine) : [];

/** What a value in base64 stands for, as custom data does; nothing when it is none. */
const decoded = (value: string): readonly string[] => {
  if (value.length < shortestLine || !/^[A-Za-z0-9+/]+={0,2}$/.test(value) || value.length % 4 !== 0) return [];
  const text = Buffer.from(value, "base64").toString("utf8");
  return text.includes("\ufffd") ? [] : [text];
};

/** As somebody may echo it: whole or a line of it, escaped once or twice, in base64, or as part of a URL. */
const spellingsOf = (value: string): readonly string[] => {
  const whole = [value, value.trim(), ...linesOf(value), ...linesOf(value).map((line) => line.trim())];
  const coded = [value, value.trim()].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString("base64"), bytes.toString("base64url"), encodeURIComponent(text.toWellFormed())];
  });
  return [...whole, ...whole.map(escaped), ...whole.map((text) => escaped(escaped(text))), ...coded];
};

/** Starts with none. */
export const knownSecrets = (): KnownSecrets => {
  const learned = new Set<string>();
  const spellings = new Set<string>();
  return {
    learn: (values) => {
      for (const value of values.filter((one) => one.trim().length >= shortest && !learned.has(one))) {
        learned.add(value);
        for (const spelling of [value, ...decoded(value)].flatMap(spellingsOf)) spellings.add(spelling);
      }
    },
    // The longest first: a secret may be part of another.
    blank: (text) =>
      [...spellings]
        .filter((spelling) => text.includes(spelling))
        .toSorted((one, other) => other.length - one.length)
        .reduce((blanked, spelling) => blanked.replaceAll(spelling, redacted), text),
  };
};
