import { Command, CommanderError } from "commander";
import { crdFolder, crds } from "./crds.ts";
import { addDemo } from "./demo.ts";
import { UserError } from "./userError.ts";

/** `node src/cli/main.ts COMMAND`: exit status 0 when it worked, 1 when it did not, 2 when it was called wrongly. */

const usageStatus = 2;
const print = (line: string): void => console.log(line);

const program = new Command("capstan")
  .description("Cluster API infrastructure provider for Azure, serverless")
  .showHelpAfterError("(--help says how)")
  .exitOverride();

program
  .command("crds")
  .description("write the CustomResourceDefinitions")
  .option("-o, --output <folder>", "folder to write to", crdFolder)
  .option("--check", "write nothing, fail when something is not up to date", false)
  .action((options: { readonly output: string; readonly check: boolean }) => crds(options, print));

addDemo(program);

const statusOf = (error: unknown): number => {
  // Commander has said what is wrong; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageStatus;
  const known = error instanceof UserError;
  console.error(known ? `error: ${error.message}` : error);
  return 1;
};

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = statusOf(error);
}
