import type { ErrorCode, Wake } from "../../src/core/azureErrorCodes/errorCode.ts";
import { errorFamilies } from "../../src/core/azureErrorCodes.ts";
import { type Backoff, backoffOf, backoffs } from "../../src/core/backoff.ts";
import type { FailureClass } from "../../src/core/types.ts";
import { code, inline, note, page, prose, table } from "./markdown.ts";

const classWords: Readonly<Record<FailureClass, string>> = {
  transient: "Passes by itself.",
  throttled: "Too many requests; Azure says when to come back.",
  capacity: "Azure has no room for the size there now. Shared by region, zone, family and priority.",
  quota: "A limit of the subscription is reached. Shared by region and family.",
  policy: "Forbidden by a rule that somebody set on purpose.",
  auth: "The identity cannot prove itself, or lacks a role. Shared by identity: one object probes, the others wait.",
  conflict: "Somebody else is writing, or the last write has not come to rest.",
  dependency: "Something else must come or go first.",
  badConfiguration: "The spec asks for something that cannot work.",
  gone: "It is not there.",
};

const wakeWords: Readonly<Record<Wake, string>> = {
  identity: "identity or secret",
  dependencies: "an object that this one obeys",
  siblings: "another resource of the object",
};

const time = (seconds: number): string => {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
};

const paceWords = ({ firstSeconds, freshCapSeconds, freshAttempts }: Backoff): string => {
  if (firstSeconds === 3600) return time(firstSeconds);
  const cap = Number.isFinite(freshAttempts)
    ? `${time(freshCapSeconds)} for ${freshAttempts} tries, then to 1 h`
    : "1 h";
  return `${time(firstSeconds)} to ${cap}`;
};

const wakesOf = ({ wakes }: Backoff): string => wakes.map((wake) => wakeWords[wake]).join(", ");

const classRows = (): readonly (readonly string[])[] =>
  Object.entries(backoffs).map(([kind, backoff]) => [
    code(kind),
    classWords[kind as FailureClass],
    paceWords(backoff),
    wakesOf(backoff),
  ]);

const codeRow = ([name, entry]: readonly [string, ErrorCode]): readonly string[] => {
  const backoff = backoffOf({ kind: entry.kind, code: name });
  const usual = backoffs[entry.kind];
  return [
    code(name),
    entry.kind,
    inline(entry.hint ?? ""),
    paceWords(backoff) === paceWords(usual) ? "" : paceWords(backoff),
    wakesOf(backoff) === wakesOf(usual) ? "" : wakesOf(backoff) || "nothing",
    `[source](${entry.source})`,
  ];
};

const title = (family: string): string => `${family.charAt(0).toUpperCase()}${family.slice(1)}`;

/** Azure's error codes, what they mean for an object, and how they are tried again. */
export const errorsPage = (): string =>
  page(
    "# Azure's errors",
    note,
    prose(
      "What Azure refuses shows in the conditions with Azure's code and words. The innermost code that says something decides " +
        "the class, and the class how slowly it is tried again: ever more slowly, an hour at most, and never given up. Codes " +
        "that are not listed go by the status of the answer.",
    ),
    `## Classes\n\n${prose(
      "Another plan, the annotation `capstan.azure/retry` and a replay end every wait at once; beside these, what the last " +
        "column names. Times are spread by a quarter.",
    )}`,
    table(["Class", "Meaning", "Tried again after", "Woken early by"], classRows()),
    ...Object.entries(errorFamilies).map(([family, codes]) =>
      [
        `## ${title(family)}`,
        table(
          ["Code", "Class", "What to do", "Tried again after", "Woken early by", "Source"],
          Object.entries(codes)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(codeRow),
        ),
      ].join("\n\n"),
    ),
  );
