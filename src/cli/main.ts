import { Command, CommanderError } from "commander";
import { type CrdsOptions, crds } from "./crds.ts";
import { addDemo } from "./demo.ts";
import { enterCallersFolder } from "./enterCallersFolder.ts";
import { addOrders } from "./operate/orderCommands.ts";
import { addStoreCommands } from "./operate/storeCommands.ts";
import { addPlan } from "./plan/planCommand.ts";
import { UserError } from "./userError.ts";
import { addValidate } from "./validate/validateCommand.ts";

/** `node src/cli/main.ts COMMAND`: exit status 0 when it worked, 1 when it did not, 2 when it was called wrongly. */

const usageStatus = 2;
const print = (line: string): void => console.log(line);

const program = new Command("capstan")
  .description("Cluster API infrastructure provider for Azure, serverless")
  .showHelpAfterError("(--help says how)")
  .exitOverride();

program
  .command("crds")
  .description("print what a management cluster needs for Capstan's kinds: definitions, roles and policies")
  .option("-o, --output <folder>", "write one file each to this folder instead")
  .option("--check", "write nothing, fail when a file of the folder (default: infra/cluster) is not up to date", false)
  .action((options: CrdsOptions) => crds(options, print));

addValidate(program);
addPlan(program);
addOrders(program);
addStoreCommands(program);
addDemo(program);

const statusOf = (error: unknown): number => {
  // Commander has said what is wrong; help and version are no errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageStatus;
  const known = error instanceof UserError;
  console.error(known ? `error: ${error.message}` : error);
  return known ? error.status : 1;
};

try {
  enterCallersFolder(process.env);
  await program.parseAsync();
} catch (error) {
  process.exitCode = statusOf(error);
}
