import { annotations, labels, lastAppliedPrefix } from "../../src/core/annotations.ts";
import { annotationWords, labelWords, type NameWords } from "./annotationWords.ts";
import { code, note, page, prose, table } from "./markdown.ts";

const effects: Readonly<Record<NameWords["effect"], string>> = {
  acts: "obeyed",
  wakes: "looked at, not yet obeyed",
  writes: "written by Capstan",
};

const rows = (
  names: Readonly<Record<string, string>>,
  words: Readonly<Record<string, NameWords>>,
): readonly (readonly string[])[] =>
  Object.entries(words).map(([key, { meaning, effect }]) => [code(names[key] ?? ""), meaning, effects[effect]]);

/** Annotations and labels that Capstan reads and writes. */
export const annotationsPage = (): string =>
  page(
    "# Annotations and labels",
    note,
    prose(
      "A change of one of these makes Capstan look at the object at once. *Obeyed* says that this release acts on it. " +
        "`kubectl annotate` sets them; those of `capstan.azure/` are ours, the others belong to Cluster API and to CAPZ.",
    ),
    `## Annotations\n\n${table(
      ["Annotation", "Meaning", "In this release"],
      [
        ...rows(annotations, annotationWords),
        [
          code(`${lastAppliedPrefix}…`),
          "What CAPZ applied last (tags, security rules); read when a cluster is taken over.",
          effects.wakes,
        ],
      ],
    )}`,
    `## Labels\n\n${table(["Label", "Meaning", "In this release"], rows(labels, labelWords))}`,
  );
