import type { TableAction } from "../ports.ts";

/** Row that says: the last turn found the object paused and let it be moved. */
export const movableRow = "movable";

export const markMovable = (movable: boolean, rowNames: readonly string[]): readonly TableAction[] => {
  if (rowNames.includes(movableRow) === movable) return [];
  return [movable ? { kind: "upsert", row: movableRow, values: {} } : { kind: "delete", row: movableRow }];
};
