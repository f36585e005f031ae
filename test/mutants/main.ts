import { allMutants, type Mutant } from "./mutant.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

/**
 * `npm run mutants [-- NAME …]`: applies the patches of this folder one by one to a copy of the working tree and runs the
 * tests that each names. Fails when any of them stays green: then nothing holds the rule that the patch breaks.
 */

const usage = `npm run mutants [-- NAME …]
Breaks one rule at a time and fails when no test sees it. NAME: a part of a patch's file name; default: all.`;

const isChosen = ({ name }: Mutant, wanted: readonly string[]): boolean =>
  wanted.length === 0 || wanted.some((part) => name.includes(part));

/** The named tests of all mutants are green as they are; else a failure later would say nothing. */
const checkUnbroken = (mutants: readonly Mutant[], sandbox: Sandbox): boolean => {
  const files = [...new Set(mutants.flatMap(({ caughtBy }) => caughtBy))].toSorted();
  const { passed, failed } = sandbox.test(files);
  console.log(`without a mutant: ${passed} passed, ${failed} failed in ${files.length} files`);
  return failed === 0 && passed > 0;
};

const tryOne = (mutant: Mutant, sandbox: Sandbox): boolean => {
  const startedMs = performance.now();
  sandbox.apply(mutant.path);
  const { failed } = sandbox.test(mutant.caughtBy);
  sandbox.revert(mutant.path);
  const caught = failed > 0;
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
  console.log(`${caught ? "caught  " : "SURVIVED"} ${mutant.name} (${failed} failed, ${seconds} s): ${mutant.rule}`);
  return caught;
};

const main = (args: readonly string[]): number => {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(usage);
    return 0;
  }
  const mutants = allMutants().filter((mutant) => isChosen(mutant, args));
  if (mutants.length === 0) {
    console.error(`no mutant has a name with ${args.join(" or ")}`);
    return 2;
  }
  using sandbox = openSandbox();
  if (!checkUnbroken(mutants, sandbox)) return 1;
  const survivors = mutants.filter((mutant) => !tryOne(mutant, sandbox));
  console.log(`${mutants.length - survivors.length} caught, ${survivors.length} survived`);
  return survivors.length === 0 ? 0 : 1;
};

process.exitCode = main(process.argv.slice(2));
