import type { ScalarTag, Tags } from "yaml";

/** Words that YAML 1.1, and so `kubectl`, reads as booleans (https://yaml.org/type/bool.html). */
const yes = /^(?:y|yes|true|on)$/i;
const booleans = /^(?:[yYnN]|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/;

const boolean: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:bool",
  test: booleans,
  resolve: (word) => yes.test(word),
};

const bases: readonly { readonly form: RegExp; readonly radix: number }[] = [
  { form: /^([-+]?)0[bB]([01]+)$/, radix: 2 },
  { form: /^([-+]?)0[oO]?([0-7]+)$/, radix: 8 },
  { form: /^([-+]?)0[xX]([0-9a-fA-F]+)$/, radix: 16 },
];

const integerOf = (plain: string): number | undefined => {
  for (const { form, radix } of bases) {
    const [, sign, digits] = form.exec(plain) ?? [];
    if (digits !== undefined) return (sign === "-" ? -1 : 1) * Number.parseInt(digits, radix);
  }
  return undefined;
};

const decimal = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;

/** A number as Go reads it, or the word as it stands. */
const numberOf = (word: string): number | string => {
  const plain = word.replaceAll("_", "");
  const integer = integerOf(plain);
  if (integer !== undefined) return integer;
  const value = decimal.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? value : word;
};

const number: ScalarTag = {
  default: true,
  tag: "tag:yaml.org,2002:float",
  test: /^(?:[-+]?\d|[-+]?\.\d)[\w.+-]*$/,
  resolve: numberOf,
};

/** Bytes are text to `kubectl`. */
const binary: ScalarTag = {
  tag: "tag:yaml.org,2002:binary",
  resolve: (word) => Buffer.from(word, "base64").toString("utf8"),
};

/**
 * How `kubectl` reads plain words, which is not how YAML 1.2 does: `yes` and `on` are true, `0o17` and `017` are 15. A
 * manifest that is right in YAML 1.2 may so be refused.
 */
export const kubectlScalars = (tags: Tags): Tags => [boolean, number, binary, ...tags];
