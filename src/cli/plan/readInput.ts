import { dependenciesOf } from "../../core/inputs.ts";
import type { KindInput } from "../../core/kind.ts";
import { type Projection, project } from "../../core/projection.ts";
import type { RunnableKind } from "../../core/runnableKind.ts";
import type { KubeObject, ObjectKey } from "../../core/types.ts";
import type { ObjectSource } from "./objectSource.ts";

/** An object with all that a turn would read beside it. */
export interface ReadInput {
  readonly object: KubeObject;
  readonly input: KindInput;
  readonly known: readonly Projection[];
}

type Found = ReadonlyMap<string, KubeObject | undefined>;

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;
const projected = (found: Found): readonly Projection[] =>
  [...found.values()].flatMap((object) => (object === undefined ? [] : [project(object)]));

const rolesOf = (object: KubeObject, kind: RunnableKind, found: Found) => [
  ...dependenciesOf(project(object), projected(found)),
  ...kind.dependencies(object),
];

/** Reads what the object obeys and what that leads to, until nothing new comes. */
const readAll = async (
  object: KubeObject,
  kind: RunnableKind,
  source: Pick<ObjectSource, "get">,
  found: Found,
): Promise<Found> => {
  const keys = rolesOf(object, kind, found).map(({ key }) => key);
  const missing = new Map(keys.filter((key) => !found.has(textOf(key))).map((key) => [textOf(key), key]));
  if (missing.size === 0) return found;
  const read = await Promise.all([...missing].map(async ([text, key]) => [text, await source.get(key)] as const));
  return readAll(object, kind, source, new Map([...found, ...read]));
};

/** What a turn would gather, from wherever objects come. */
export const readInput = async (
  object: KubeObject,
  kind: RunnableKind,
  source: Pick<ObjectSource, "get">,
  settings: KindInput["settings"],
): Promise<ReadInput> => {
  const found = await readAll(object, kind, source, new Map());
  const roles = rolesOf(object, kind, found);
  return {
    object,
    input: {
      object,
      dependencies: Object.fromEntries(roles.map(({ role, key }) => [role, found.get(textOf(key))])),
      settings,
    },
    known: projected(found),
  };
};
