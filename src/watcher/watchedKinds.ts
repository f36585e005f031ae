import { dependencyTable } from "../core/dependencyTable.ts";

const readBy = (kind: string): readonly string[] => {
  const { roles = [], members } = dependencyTable[kind] ?? {};
  return [...roles.flatMap(({ kinds }) => kinds), ...(members === undefined ? [] : [members.kind])];
};

/**
 * The kinds to watch so that doorbells for `reconciled` can be told: themselves and all that their turns read, in the
 * order in which they are first named. Never a Secret: the table has none.
 */
export const watchedKinds = (reconciled: readonly string[]): readonly string[] => [
  ...new Set(reconciled.flatMap((kind) => [kind, ...readBy(kind)])),
];
