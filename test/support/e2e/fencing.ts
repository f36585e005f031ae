import { textAt, valueAt } from "../../../src/api/json.ts";
import type { Json } from "../../../src/core/types.ts";
import type { Scene } from "./scene.ts";
import { linesOf } from "./turns.ts";

/** A line of the fencing log: a lease was taken at a turn number, or a turn was committed under one. */
export interface FencingLine {
  readonly kind: "taken" | "committed";
  /** RFC 3339. */
  readonly time: string;
  /** Which process said so. */
  readonly app: number;
  readonly object: string;
  readonly nonce: string;
  /** The number of commits so far: of `committed`, with this one. */
  readonly turn: number;
  /** Of `taken`: the lease before was never released. */
  readonly takenOver: boolean;
}

const kindOf: Readonly<Record<string, FencingLine["kind"]>> = {
  "lease taken": "taken",
  "turn finished": "committed",
};

const parse = (line: string): Json => {
  try {
    // The one cast: JSON is Json.
    return JSON.parse(line) as Json;
  } catch {
    return null;
  }
};

const fencingLineOf = (line: string, app: number): FencingLine | undefined => {
  const entry = parse(line);
  const text = (name: string): string => textAt(entry, name) ?? "";
  const [kind, nonce, turn] = [kindOf[text("message")], text("nonce"), valueAt(entry, "turn")];
  if (kind === undefined || nonce === "" || typeof turn !== "number") return undefined;
  const object = `${text("kind")} ${text("object")}`;
  return { kind, time: text("time"), app, object, nonce, turn, takenOver: valueAt(entry, "takenOver") === true };
};

/** What all processes of the function app said of leases, by object. */
export const fencingLog = async (scene: Scene): Promise<ReadonlyMap<string, readonly FencingLine[]>> => {
  const texts = await linesOf(scene);
  const lines = texts.flatMap((lines, app) => lines.flatMap((line) => fencingLineOf(line, app) ?? []));
  return Map.groupBy(lines, ({ object }) => object);
};

const repeated = (values: readonly (string | number)[]): readonly (string | number)[] =>
  values.filter((value, at) => values.indexOf(value) !== at);

/**
 * Sentences that say where the lines of one object show two turns at once; none: there were no such. Each lease is taken
 * under the etag of the row as the commit before left it, so that turn numbers, not clocks, tell the order: one lease for
 * each number, and the commit of the next number under that very lease.
 */
export const overlapsIn = (lines: readonly FencingLine[]): readonly string[] => {
  const taken = lines.filter(({ kind }) => kind === "taken");
  const committed = lines.filter(({ kind }) => kind === "committed");
  const leaseOf = new Map(taken.map(({ turn, nonce }) => [turn, nonce]));
  const numbers = committed.map(({ turn }) => turn).toSorted((one, other) => one - other);
  const twice = repeated(taken.filter(({ takenOver }) => !takenOver).map(({ turn }) => turn));
  return [
    ...twice.map((turn) => `two leases at turn ${turn}`),
    ...repeated(numbers).map((turn) => `turn ${turn} was committed twice`),
    ...numbers.flatMap((turn, at) => (turn === at + 1 ? [] : [`commit number ${at + 1} is of turn ${turn}`])),
    ...committed.flatMap(({ turn, nonce }) =>
      leaseOf.get(turn - 1) === nonce ? [] : [`turn ${turn} was committed under another lease than it began with`],
    ),
  ];
};

/** How often an object went from one process to the other. */
export const handoversIn = (lines: readonly FencingLine[]): number => {
  const apps = lines
    .filter(({ kind }) => kind === "taken")
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ app }) => app);
  return apps.filter((app, at) => at > 0 && app !== apps[at - 1]).length;
};

/**
 * Whether something happened while a turn had its lease and before the next lease was taken; all programs of the stack
 * share one clock. `turn` is the number that the turn was committed under.
 */
export const isWithinTurn = (lines: readonly FencingLine[], turn: number, time: string): boolean => {
  const takenAt = (number: number): number | undefined => {
    const line = lines.find((one) => one.kind === "taken" && one.turn === number);
    return line === undefined ? undefined : Date.parse(line.time);
  };
  const [began, next] = [takenAt(turn - 1), takenAt(turn)];
  const at = Date.parse(time);
  return began !== undefined && began <= at && (next === undefined || at <= next);
};
