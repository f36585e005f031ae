import { allMutants, type Mutant } from "./mutant.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

/**
 * `npm run mutants [-- NAME …]`: applies the patches of this folder one by one to a copy of the working tree and runs the
 * tests that each names. Fails when any of them stays green: then nothing holds the rule that the patch breaks.
 */

const usage = `npm run mutants [-- NAME …]
Breaks one rule at a time and fails when no test sees it. NAME: a part of a patch's file name; default: all.`;

/** Copies in which mutants are tried side by side, each with one worker of vitest. */
const copies = 2;

const isChosen = ({ name }: Mutant, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

/** The named tests of all mutants are green as they are; else a failure later would say nothing. */
const checkUnbroken = async (mutants: readonly Mutant[], sandbox: Sandbox): Promise<boolean> => {
  const files = [...new Set(mutants.flatMap(({ caughtBy }) => caughtBy))].toSorted();
  console.log(`first the ${files.length} files of tests without a mutant`);
  const { passed, failed } = await sandbox.test(files, "all");
  console.log(`without a mutant: ${passed} passed, ${failed} failed in ${files.length} files`);
  return failed === 0 && passed > 0;
};

type Verdict = "caught" | "SURVIVED" | "DOES NOT FIT";

const tryOne = async ({ path, caughtBy }: Mutant, sandbox: Sandbox): Promise<Verdict> => {
  if (!sandbox.apply(path)) return "DOES NOT FIT";
  const { failed } = await sandbox.test(caughtBy, "untilOneFails");
  sandbox.revert(path);
  return failed > 0 ? "caught" : "SURVIVED";
};

/** Those that no test has seen, or that could not be tried. */
const survivorsOf = async (mutants: readonly Mutant[], sandboxes: readonly Sandbox[]): Promise<readonly Mutant[]> => {
  const survivors: Mutant[] = [];
  const queue = mutants.entries();
  const lane = async (sandbox: Sandbox): Promise<void> => {
    for (const [index, mutant] of queue) {
      const startedMs = performance.now();
      const verdict = await tryOne(mutant, sandbox);
      if (verdict !== "caught") survivors.push(mutant);
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
      console.log(`${index + 1}/${mutants.length} ${verdict} ${mutant.name} (${seconds} s): ${mutant.rule}`);
    }
  };
  await Promise.all(sandboxes.map(lane));
  return survivors;
};

const main = async (args: readonly string[]): Promise<number> => {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return 0;
  }
  const mutants = allMutants().filter((mutant) => isChosen(mutant, args));
  if (mutants.length === 0) {
    console.error(`no mutant has a name with ${args.join(" or ")}`);
    return 2;
  }
  const startedMs = performance.now();
  using stack = new DisposableStack();
  const sandboxes = Array.from({ length: copies }, () => stack.use(openSandbox()));
  const [first] = sandboxes;
  if (first === undefined || !(await checkUnbroken(mutants, first))) return 1;
  const survivors = await survivorsOf(mutants, sandboxes);
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  console.log(`${mutants.length - survivors.length} caught, ${survivors.length} survived, in ${minutes} min`);
  for (const { name, rule } of survivors) console.log(`SURVIVED ${name}: ${rule}`);
  return survivors.length === 0 ? 0 : 1;
};

process.exitCode = await main(process.argv.slice(2));
