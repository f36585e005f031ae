import { text } from "node:stream/consumers";
import { type Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { UserError } from "../userError.ts";
import { cannotPlanStatus, type PlanOptions } from "./planOptions.ts";
import type { PlanTerminal } from "./printPlans.ts";

const after = `
With -f alone neither a cluster nor Azure is asked: what is printed is what creates everything. With --azure it is compared
with what exists, as a turn compares it; Azure is only read. With --cluster objects, identities and annotations come from
the management cluster, and what -f gives is applied over them. What earlier turns remember is not asked for.

Azure is read as the object's AzureClusterIdentity where its credential can be had here, else as whoever \`az login\` knows;
--as says which. Settings are those of the function app, of the environment or of --settings: AZURE_SUBSCRIPTION_ID,
CAPSTAN_ALLOWED_IDENTITIES, and in development CAPSTAN_DEVELOPMENT and CAPSTAN_ARM_REROUTE.

Status: 0 planned, 1 with --exit-code when something would change, 2 called wrongly or a file cannot be read, 3 something
cannot be planned.

  capstan plan -f cluster.yaml
  capstan plan -f cluster.yaml -o json | jq '.steps[].id'
  capstan plan --cluster --azure azurecluster/demo -n clusters
  capstan plan --cluster --azure -f edited.yaml --exit-code
  capstan plan --cluster --azure azurecluster/demo --delete`;

const parseZones = (given: string): readonly string[] => {
  const zones = given.split(",").map((zone) => zone.trim());
  if (given === "none") return [];
  if (zones.some((zone) => !/^[1-9]$/.test(zone))) throw new InvalidArgumentError("It must be such as 1,2,3, or none.");
  return [...new Set(zones)].toSorted();
};

/** Symbols and colours are for terminals (https://no-color.org). */
export const isDecorated = (
  isTerminal: boolean | undefined,
  env: Readonly<Record<string, string | undefined>>,
): boolean => isTerminal === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";

/** The process's own terminal. */
export const ownTerminal = (): PlanTerminal => ({
  env: process.env,
  stdin: () => text(process.stdin),
  print: (line) => console.log(line),
  note: (line) => console.error(line),
  decorated: isDecorated(process.stdout.isTTY, process.env),
});

/** A status of 1 means changes here, so that whatever else goes wrong has another one. */
export const withPlanStatus = async (run: () => Promise<number>): Promise<number> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof CommanderError) throw error;
    if (error instanceof UserError)
      throw new UserError(error.message, error.status === 1 ? cannotPlanStatus : error.status);
    const said = error instanceof Error ? error.message : String(error);
    throw new UserError(`a defect of Capstan keeps this from being planned: ${said}`, cannotPlanStatus);
  }
};

/** `capstan plan`: what would be asked of Azure, and why. */
export const addPlan = (program: Command): void => {
  program
    .command("plan [object...]")
    .description("show what would be asked of Azure: each request with its reasons, and nothing is written")
    .option("-f, --filename <file...>", "files or folders to plan; - is standard input")
    .option("-R, --recursive", "enter folders in folders")
    .option("--azure", "compare with what exists in Azure")
    .option("--cluster", "take objects from the management cluster; files are applied over them")
    .option("-n, --namespace <name>", "default: that of the kubeconfig's context, else default")
    .option("--kubeconfig <file>", "default: KUBECONFIG, else ~/.kube/config")
    .option("--context <name>", "context of the kubeconfig; default: its current one")
    .addOption(new Option("--as <who>", "as whom Azure is read").choices(["identity", "login"]))
    .option("--zones <list>", "availability zones of the region, such as 1,2,3 or none; without --azure", parseZones)
    .option("--delete", "plan as if the objects were deleted")
    .addOption(new Option("-o, --output <form>", "form of the result").choices(["wide", "json", "yaml"]))
    .option("--exit-code", "end with 1 when something would change")
    .option("--settings <file>", "settings of the function app; default: the environment")
    .option("--set <name=value...>", "value of a variable of a template; goes before file and environment")
    .option("--variables <file>", "YAML with values of variables; goes before the environment")
    .option("--no-fill", "take variables of a template as text instead of filling them")
    .addHelpText("after", after)
    .action(async (args: readonly string[], options: PlanOptions) => {
      process.exitCode = await withPlanStatus(async () => {
        const { plan } = await import("./plan.ts");
        return plan(args, options, ownTerminal());
      });
    });
};
