import { type ModeName, modeNames } from "./modeClusters.ts";

/** Counts and sizes must hold; timings depend on the machine and are only told. */
type Sort = "count" | "size" | "timing";

export interface Goal {
  readonly sort: Sort;
  /** The largest value that is good enough; undefined: told without one. */
  readonly atMost?: number;
}

/** What a kind of cluster takes of Azure; counts without a goal are told for comparison. */
const costs = {
  CreateWritesPerResource: { sort: "count", atMost: 1 },
  CreateReadsAndPollsPerWrite: { sort: "count", atMost: 1.5 },
  CreateWrites: { sort: "count" },
  CreateReads: { sort: "count" },
  CreatePolls: { sort: "count" },
  ResyncArmCalls: { sort: "count", atMost: 0 },
  DeleteWrites: { sort: "count", atMost: 1 },
  DeleteReads: { sort: "count" },
  DeletePolls: { sort: "count" },
} as const satisfies Readonly<Record<string, Goal>>;

type CostFigure<Mode extends string> = `${Mode}${keyof typeof costs}`;

/** The same for one kind of cluster, whose name its figures begin with. */
const costsOf = <Mode extends string>(mode: Mode): Readonly<Record<CostFigure<Mode>, Goal>> =>
  // The one cast: names are put together here.
  Object.fromEntries(Object.entries(costs).map(([name, goal]) => [mode + name, goal])) as Record<
    CostFigure<Mode>,
    Goal
  >;

/** Every figure, with its unit in the name, in the order in which they are told (design, section 13, and what many objects and losses may cost). */
export const goals = {
  fightFirstHourWrites: { sort: "count", atMost: 8 },
  throttledRefusals: { sort: "count", atMost: 0 },
  outageDeadLetters: { sort: "count", atMost: 0 },
  outageBrokenChains: { sort: "count", atMost: 0 },
  rebuildArmWrites: { sort: "count", atMost: 0 },
  functionAppPackageMb: { sort: "size", atMost: 6 },
  functionAppLoadMs: { sort: "timing", atMost: 150 },
  functionAppRssMb: { sort: "size", atMost: 100 },
  watcherRssMb: { sort: "size", atMost: 150 },
  watcherAnnounceSeconds: { sort: "timing", atMost: 60 },
  doorbellP50Ms: { sort: "timing", atMost: 20 },
  doorbellP99Ms: { sort: "timing", atMost: 100 },
  createWritesPerResource: { sort: "count", atMost: 1 },
  createReadsAndPollsPerWrite: { sort: "count", atMost: 1.5 },
  resyncArmCalls: { sort: "count", atMost: 0 },
  ...costsOf("public"),
  ...costsOf("private"),
  ...costsOf("dualStack"),
  changeToFirstWriteP50Ms: { sort: "timing", atMost: 150 },
  settledTurnTableReads: { sort: "count", atMost: 1 },
  settledTurnOtherCalls: { sort: "count", atMost: 0 },
  settledTurnCpuMs: { sort: "timing", atMost: 2 },
  settledTurnsPerSecond: { sort: "timing" },
} as const satisfies Readonly<Record<string, Goal>>;

export type FigureName = keyof typeof goals;

/** The figures of the kinds of clusters. */
export const costFigures: readonly FigureName[] = modeNames.flatMap((mode) =>
  Object.keys(costsOf(mode)).filter((name): name is CostFigure<ModeName> => Object.hasOwn(goals, name)),
);
/** Measured values by name. */
export type Values = Readonly<Partial<Record<FigureName, number>>>;

/** One line of the bench. `value` is null when it could not be measured. */
export interface Figure {
  readonly name: FigureName;
  readonly value: number | null;
  readonly goal: number | null;
  readonly ok: boolean;
}

const rounded = (value: number): number => Number(value.toPrecision(4));

/** The figure of a measured value; one that is no number was not measured. */
export const figureOf = (name: FigureName, value = Number.NaN): Figure => {
  const { atMost }: Goal = goals[name];
  const measured = !Number.isNaN(value);
  const ok = measured && (atMost === undefined || value <= atMost);
  return { name, value: measured ? rounded(value) : null, goal: atMost ?? null, ok };
};

/** Whether the run may end well with this figure: a timing may miss its goal, but must have been measured. */
export const holds = ({ name, value, ok }: Figure): boolean => ok || (value !== null && goals[name].sort === "timing");
