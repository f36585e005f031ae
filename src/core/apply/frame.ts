import type { ResourceSchema } from "../../wire/schema.ts";
import type { Rules } from "../rules.ts";
import type { AppliedLeaf, Desired } from "../types.ts";
import { locate } from "./located.ts";
import type { Frame } from "./place.ts";

type Path = readonly string[];

const byKey = (frame: Frame, paths: readonly Path[]): ReadonlyMap<string, Path> =>
  new Map(paths.map((path) => [locate(frame, path).key, path]));

/** What is known of a resource type and of what is special about one resource: its secrets, and whose its fields are. */
export const frameOf = (
  schema: ResourceSchema,
  rules: Rules,
  { versions = [], createOnly = [], yields = [] }: Partial<Pick<Desired, "versions" | "createOnly" | "yields">>,
  applied: readonly AppliedLeaf[],
): Frame => {
  const plain: Frame = { schema, rules, secrets: new Map(), yielded: new Set() };
  const former = applied.filter(({ version }) => version !== undefined);
  const secrets = [...[...versions, ...former].map(({ path }) => path), ...createOnly];
  return {
    ...plain,
    secrets: byKey(plain, secrets),
    yielded: new Set(byKey(plain, [...createOnly, ...yields]).keys()),
  };
};
