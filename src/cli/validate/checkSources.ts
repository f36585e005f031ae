import { kinds } from "../../kinds/index.ts";
import type { Variables } from "../fillVariables.ts";
import { checkAmong } from "./checkAmong.ts";
import { checkKind } from "./checkKind.ts";
import { checkOne } from "./checkOne.ts";
import { checkTurn } from "./checkTurn.ts";
import { fillTemplate, unfilled } from "./fillTemplate.ts";
import { type FoundObject, identityOf, objectsOf } from "./foundObject.ts";
import type { ManifestProblem } from "./manifestProblem.ts";
import { objectIndex } from "./objectIndex.ts";
import { readDocuments } from "./readDocuments.ts";
import type { Source } from "./readSources.ts";

/** The objects of some texts, and what is wrong with the texts. */
export interface ReadObjects {
  readonly objects: readonly FoundObject[];
  readonly problems: readonly ManifestProblem[];
}

/** Reads the objects of texts. Without variables, `${…}` is text. */
export const readObjects = (sources: readonly Source[], variables: Variables | undefined): ReadObjects => {
  const read = sources.map(({ name, text }) => {
    const filled = variables === undefined ? unfilled(text) : fillTemplate(text, variables);
    const { documents, problems } = readDocuments(text, filled);
    const found = documents.map((document) => objectsOf(name, document));
    return {
      objects: found.flatMap(({ objects }) => objects),
      problems: [...problems, ...found.flatMap((one) => one.problems)].map(
        (problem): ManifestProblem => ({ file: name, ...problem, rule: "yaml" }),
      ),
    };
  });
  return {
    objects: read.flatMap(({ objects }) => objects),
    problems: read.flatMap(({ problems }) => problems),
  };
};

/** What was checked, and all that is wrong, in the order of the files. */
export interface CheckedSources {
  readonly problems: readonly ManifestProblem[];
  readonly ours: readonly FoundObject[];
  readonly others: readonly FoundObject[];
}

/** Objects are judged with all others of the files beside them, changes against the former ones. */
export const checkObjects = ({ objects, problems }: ReadObjects, former: readonly FoundObject[]): CheckedSources => {
  const verdicts = objects.map((object) => ({ object, verdict: checkKind(object) }));
  const of = (kind: ReturnType<typeof checkKind>["kind"]): readonly FoundObject[] =>
    verdicts.filter(({ verdict }) => verdict.kind === kind).map(({ object }) => object);
  const ours = of("ours");
  const index = objectIndex(objects);
  const formerOf = new Map(former.map((object) => [identityOf(object), object]));
  const found = [
    ...problems,
    ...verdicts.flatMap(({ verdict }) => (verdict.kind === "wrong" ? [verdict.problem] : [])),
    ...ours.flatMap((object) => {
      const identity = identityOf(object);
      const refused = checkOne(object, index, identity === undefined ? undefined : formerOf.get(identity));
      return [...refused, ...checkTurn(object, index, kinds, refused)];
    }),
    ...checkAmong(index),
  ];
  return { problems: found, ours, others: of("notOurs") };
};

/** In the order in which they stand, each once. */
export const inOrder = (
  problems: readonly ManifestProblem[],
  sources: readonly Source[],
): readonly ManifestProblem[] => {
  const order = new Map(sources.map(({ name }, index) => [name, index]));
  const rank = ({ file }: ManifestProblem): number => order.get(file) ?? sources.length;
  const distinct = new Map(problems.map((problem) => [JSON.stringify(problem), problem]));
  return [...distinct.values()].toSorted(
    (one, other) => rank(one) - rank(other) || one.line - other.line || one.column - other.column,
  );
};
