import type { Problem } from "./kind.ts";
import type { Claim } from "./types.ts";

/** Condition that says whether the spec can work, judged at the start of each turn and before any write. */
export const specCondition = "SpecValid";

/** What is said of a spec in which nothing is wrong. */
export const specIsValid: Claim = Object.freeze({ type: specCondition, status: "True" });

export const isOfSpec = ({ condition }: Pick<Problem, "condition">): boolean => condition === specCondition;

/** What the condition of the infrastructure says while the spec cannot work. */
export const waitingForSpec = (type: string): Claim => ({
  type,
  status: "False",
  severity: "Info",
  reason: "SpecNotValid",
  message: `nothing is done before the spec can work: see condition ${specCondition}`,
});

/** Bound of one message: with the count of the rest it stays within the 10,240 characters that the definitions take. */
const longest = 10_000;

/** As many problems as fit into one message, and how many there are beyond them. */
export const together = (problems: readonly Pick<Problem, "message">[]): string => {
  const [first = "", ...others] = problems.map(({ message }) => message);
  const told = others.reduce(
    ({ text, count }, message) =>
      text.length + message.length + 2 <= longest ? { text: `${text}; ${message}`, count: count + 1 } : { text, count },
    { text: first.slice(0, longest), count: 1 },
  );
  const left = problems.length - told.count;
  return left > 0 ? `${told.text}; and ${left} more` : told.text;
};

/** One claim for each condition that has problems, with all of them. */
export const claimsOfProblems = (problems: readonly Problem[]): readonly Claim[] =>
  [...Map.groupBy(problems, ({ condition }) => condition)].flatMap(([type, all]): readonly Claim[] => {
    const worst = all.find(({ severity }) => severity === "Error") ?? all[0];
    return worst === undefined
      ? []
      : [{ type, status: "False", severity: worst.severity, reason: worst.reason, message: together(all) }];
  });
