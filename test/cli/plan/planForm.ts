import { Type } from "typebox";
import { Errors } from "typebox/value";

const json = Type.Unknown();
const text = Type.String({ minLength: 1 });
const closed = { additionalProperties: false } as const;

const change = Type.Object(
  {
    path: text,
    from: json,
    to: json,
    effect: Type.Union([Type.Literal("inPlace"), Type.Literal("model"), Type.Literal("replace")]),
  },
  closed,
);

const step = Type.Object(
  {
    service: text,
    action: Type.Union(["create", "update", "delete", "none", "refused"].map((action) => Type.Literal(action))),
    reason: Type.Optional(text),
    method: Type.Union(["GET", "PUT", "PATCH", "DELETE"].map((method) => Type.Literal(method))),
    id: Type.String({ pattern: "^/subscriptions/[^/]+/resourceGroups/[^/]+" }),
    type: Type.String({ pattern: "^Microsoft\\.[A-Za-z]+/" }),
    apiVersion: Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d(-preview)?$" }),
    query: Type.Optional(Type.Record(Type.String(), Type.String())),
    dependsOn: Type.Array(text),
    changes: Type.Array(change),
    body: Type.Record(Type.String(), json),
  },
  closed,
);

const form = Type.Object(
  {
    kind: Type.Literal("Plan"),
    object: Type.Object({ kind: text, namespace: text, name: text }, closed),
    steps: Type.Array(step),
  },
  closed,
);

interface Step {
  readonly action: string;
  readonly reason?: string;
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly changes: readonly { readonly path: string }[];
}

/** What is wrong with a step that a schema cannot say. */
const oddities = (
  { action, reason, id, dependsOn, changes }: Step,
  earlier: ReadonlySet<string>,
): readonly string[] => {
  const paths = changes.map(({ path }) => path);
  return [
    ...(action === "refused" && reason === undefined ? [`${id}: refused without a reason`] : []),
    ...dependsOn.filter((other) => !earlier.has(other)).map((other) => `${id}: ${other} does not come before it`),
    ...(new Set(dependsOn).size < dependsOn.length ? [`${id}: needs something twice`] : []),
    ...(paths.join("\n") === paths.toSorted().join("\n") ? [] : [`${id}: changes are not sorted`]),
  ];
};

/** All that is wrong with the printed form of a plan. */
export const formProblems = (printed: string): readonly string[] => {
  // The cast: what is not of the form is told by the schema first.
  const document = JSON.parse(printed) as { readonly steps: readonly Step[] };
  const wrong = Errors(form, document).map(({ instancePath, message }) => `${instancePath}: ${message}`);
  if (wrong.length > 0) return wrong;
  return document.steps.flatMap((one, index) =>
    oddities(one, new Set(document.steps.slice(0, index).map(({ id }) => id))),
  );
};
