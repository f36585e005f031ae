import type { Reason } from "../../src/core/reasons.ts";
import type { RunnableKind } from "../../src/core/runnableKind.ts";
import { specCondition } from "../../src/core/specProblems.ts";
import { kinds } from "../../src/kinds/index.ts";
import { code } from "./markdown.ts";

/** One condition that objects of a kind may carry. */
export interface ConditionType {
  readonly type: string;
  /** When it is true, as a sentence in Markdown. */
  readonly meaning: string;
  /** Why it may be false. */
  readonly reasons: readonly Reason[];
}

const whole: readonly ConditionType[] = [
  {
    type: "Ready",
    meaning: "All other conditions are true; else it has reason and message of the most pressing one.",
    reasons: [],
  },
  {
    type: "Paused",
    meaning: "The object or its Cluster is paused. While it is not, the condition is absent.",
    reasons: [],
  },
];

const spec: ConditionType = {
  type: specCondition,
  meaning: "The spec can work, by the rules of the start of a turn. Its message has all problems at once.",
  reasons: ["InvalidConfiguration"],
};

const summary = ({ summary: type }: RunnableKind): ConditionType => ({
  type,
  meaning: "Everything stands that the object asks for. Later changes show at their services only.",
  reasons: [
    "Creating",
    "Failed",
    "SpecNotValid",
    "OwnerRefNotSet",
    "ClusterNotFound",
    "IdentityNotFound",
    "IdentitySecretNotFound",
    "IdentityNotAllowed",
    "NamespaceNotAllowedByIdentity",
    "ExternallyManagedControlPlane",
    "Deleting",
    "DeleteBlocked",
    "ReconcileDefect",
  ],
});

const ofServices = ({ services }: RunnableKind): readonly ConditionType[] =>
  services.map(({ condition, type }) => ({
    type: condition,
    meaning: `All resources of type ${code(type)} stand as asked.`,
    reasons: [
      "Creating",
      "Updating",
      "Failed",
      "ImmutableDrift",
      "ForeignConflict",
      "OwnershipLost",
      "ReconcileLoop",
      "Deleting",
      "DeletionFailed",
      "Deleted",
    ],
  }));

/** Services may share a condition: then it speaks of the resources of both. */
const withoutDoubles = (types: readonly ConditionType[]): readonly ConditionType[] =>
  [...Map.groupBy(types, ({ type }) => type).values()].flatMap(([first, ...others]) =>
    first === undefined || others.length === 0
      ? (first ?? [])
      : [{ ...first, meaning: [first, ...others].map(({ meaning }) => meaning).join(" ") }],
  );

/** The conditions of a kind, or none while it is not reconciled. */
export const conditionTypesOf = (kind: string): readonly ConditionType[] => {
  const runnable = kinds.get(kind);
  return runnable === undefined ? [] : withoutDoubles([...whole, spec, summary(runnable), ...ofServices(runnable)]);
};
