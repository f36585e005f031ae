import type { Decision } from "../core/decide.ts";
import type { ServiceState } from "../core/kind.ts";

/** What a write that the loop guard holds back shows: fields, values, how often, and when it goes on. */
export const heldState = ({ row, untilMs, requests }: Extract<Decision, { kind: "held" }>): ServiceState => {
  const changes = requests.flatMap((request) => request.changes);
  const what = changes
    .map(({ path, from, to }) => `${path}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`)
    .join(", ");
  const message = `${row.id}: written ${row.writes.length} times and undone each time (${what}); goes on at ${new Date(untilMs).toISOString()}`;
  return { kind: "failed", reason: "ReconcileLoop", severity: "Warning", message };
};
