import { parseArgs } from "node:util";
import type { Bench } from "./bench.ts";
import { createBench } from "./createBench.ts";
import { creation } from "./creation.ts";
import { doorbell } from "./doorbell.ts";
import { fight } from "./fight.ts";
import { costFigures, type FigureName, figureOf, goals, holds, type Values } from "./figures.ts";
import { firstWrite } from "./firstWrite.ts";
import { functionApp } from "./functionApp.ts";
import { outage, rebuild, throttledRefusals } from "./manyObjects.ts";
import { modeCosts } from "./modeCosts.ts";
import { resyncCalls } from "./resyncCalls.ts";
import { settledTurns } from "./settledTurns.ts";
import { watcher } from "./watcher.ts";

/** `npm run bench [-- --only NAME …]`: one JSON line a figure; the goals are those of the design. */

interface Measure {
  readonly names: readonly FigureName[];
  readonly run: (bench: Bench) => Promise<Values>;
}

/** Those that need the stack come last, so that it does not run beside the others; `doorbell` wants it empty. */
const measures: readonly Measure[] = [
  { names: ["fightFirstHourWrites"], run: fight },
  { names: ["throttledRefusals"], run: throttledRefusals },
  { names: ["outageDeadLetters", "outageBrokenChains"], run: outage },
  { names: ["rebuildArmWrites"], run: rebuild },
  { names: ["functionAppPackageMb", "functionAppLoadMs", "functionAppRssMb"], run: functionApp },
  { names: ["watcherRssMb", "watcherAnnounceSeconds"], run: watcher },
  { names: ["doorbellP50Ms", "doorbellP99Ms"], run: doorbell },
  { names: ["createWritesPerResource", "createReadsAndPollsPerWrite"], run: creation },
  { names: ["resyncArmCalls"], run: resyncCalls },
  { names: costFigures, run: modeCosts },
  { names: ["changeToFirstWriteP50Ms"], run: firstWrite },
  {
    names: ["settledTurnTableReads", "settledTurnOtherCalls", "settledTurnCpuMs", "settledTurnsPerSecond"],
    run: settledTurns,
  },
];

const help = `Usage: npm run bench [-- options]

Measures Capstan on this machine and prints one JSON line a figure. Status 0: all counts and sizes hold.

  --only <name>  measure only this figure; may be given several times
  --help         show this text

Figures: ${Object.keys(goals).join(", ")}
`;

/** Status of a program that Ctrl-C ended. */
const interruptedStatus = 130;

const isFigure = (name: string): name is FigureName => Object.hasOwn(goals, name);

const progress = (line: string): void => void process.stderr.write(`${line}\n`);

/** Measures one group and tells its wanted figures; true when all of them hold. */
const tell = async ({ names, run }: Measure, wanted: ReadonlySet<FigureName>, bench: Bench): Promise<boolean> => {
  const values = await run(bench).catch((error: unknown): Values => {
    progress(`not measured: ${names.join(", ")}: ${error instanceof Error ? error.stack : String(error)}`);
    return {};
  });
  const figures = names.filter((name) => wanted.has(name)).map((name) => figureOf(name, values[name]));
  for (const figure of figures) process.stdout.write(`${JSON.stringify(figure)}\n`);
  return figures.every(holds);
};

const runAll = async (wanted: ReadonlySet<FigureName>): Promise<boolean> => {
  const bench = createBench(progress);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void bench.stop().finally(() => process.exit(interruptedStatus)));
  let all = true;
  try {
    for (const measure of measures.filter(({ names }) => names.some((name) => wanted.has(name))))
      all = (await tell(measure, wanted, bench)) && all;
  } finally {
    await bench.stop();
  }
  return all;
};

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: { only: { type: "string", multiple: true }, help: { type: "boolean", default: false } },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const only = values.only ?? Object.keys(goals);
  const unknown = only.filter((name) => !isFigure(name));
  if (unknown.length > 0) {
    progress(`no such figure: ${unknown.join(", ")}; there are ${Object.keys(goals).join(", ")}`);
    return 2;
  }
  return (await runAll(new Set(only.filter(isFigure)))) ? 0 : 1;
};

process.exitCode = await main();
