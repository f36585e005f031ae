import { type Command, InvalidArgumentError, Option } from "commander";
import type { HistoryOptions } from "./history.ts";
import type { OrphansOptions } from "./orphans.ts";
import type { ReplayOptions } from "./replay.ts";

const print = (line: string): void => console.log(line);

const output = (): Option => new Option("-o, --output <form>", "form of the result").choices(["wide", "json", "yaml"]);

/** What all have that look into what the function app knows. */
const withSettings = (command: Command): Command =>
  command
    .option(
      "--settings <file>",
      "settings of the function app, as NAME=value lines or a local.settings.json; default: the environment",
    )
    .option(
      "--cluster <uid>",
      "uid of the management cluster; default: the only one of the settings, else that of the kubeconfig",
    )
    .option("--kubeconfig <file>", "default: KUBECONFIG, else ~/.kube/config")
    .option("--context <name>", "context of the kubeconfig; default: its current one");

const tables = `
The tables are those of the function app: CAPSTAN_TABLES_ENDPOINT (read as whoever \`az login\` knows) or CAPSTAN_TABLES_CONNECTION.
Status: 0 it could be read, 1 it could not, 2 called wrongly or not configured.`;

const addHistory = (program: Command): void =>
  void withSettings(
    program
      .command("history <object...>")
      .description(
        "what was done in Azure for an object and why: each change, who caused it, what Azure answered; newest last",
      ),
  )
    .option("-n, --namespace <name>", "default: that of the kubeconfig's context")
    .option("--since <time>", "only what is not older, such as 2h")
    .addOption(output())
    .addHelpText(
      "after",
      `${tables}\n\n  capstan history azurecluster/demo --since 2h\n  capstan history azurecluster demo -o wide`,
    )
    .action(async (args: readonly string[], options: HistoryOptions) => {
      const { history } = await import("./history.ts");
      process.exitCode = await history(args, options, process.env, print);
    });

const addOrphans = (program: Command): void =>
  void withSettings(
    program.command("orphans").description("resources in Azure whose objects vanished; those of moved objects apart"),
  )
    .addOption(output())
    .addHelpText("after", tables)
    .action(async (options: OrphansOptions) => {
      const { orphans } = await import("./orphans.ts");
      process.exitCode = await orphans(options, process.env, print);
    });

const parseMost = (text: string): number => {
  const most = Number(text);
  if (!Number.isInteger(most) || most < 1 || most > 100) throw new InvalidArgumentError("It must be 1 to 100.");
  return most;
};

const replayHelp = `
Without objects: those that messages stand for which were given up. With them: these objects, now.
A dry run unless --yes says otherwise. The object is looked at as it is; the message's old content is not used.
The function app is asked: its URL is --url or CAPSTAN_APP_URL, its master key is in --key-file or CAPSTAN_APP_KEY, or a
token of Entra ID in CAPSTAN_APP_TOKEN.

Status: 0 done, 1 it could not be, 2 called wrongly.

  capstan replay --because UnknownCluster
  capstan replay --queue deadLetter --older-than 1h --yes --reason 'the defect is corrected'
  capstan replay azurecluster/demo --yes --reason 'somebody edited the load balancer'`;

const addReplay = (program: Command): void =>
  void withSettings(
    program
      .command("replay [object...]")
      .description("look at objects again: by name, or those that messages stand for which were given up"),
  )
    .option("-n, --namespace <name>", "namespace of the objects; default: that of the kubeconfig's context")
    .addOption(
      new Option("--queue <queue>", "messages that were given up by us or by the broker; default: failed").choices([
        "failed",
        "deadLetter",
      ]),
    )
    .option("--because <reason>", "only messages that were given up for this reason")
    .option("--older-than <time>", "only messages that were given up longer ago, such as 90m")
    .option("--newer-than <time>", "only messages that were given up since, such as 2h")
    .option("--most <count>", "how many at most, up to 100", parseMost)
    .option("--reason <text>", "why; it is kept in the history of each object")
    .option("--yes", "do it")
    .option("--url <url>", "of the function app")
    .option("--key-file <file>", "file with the function app's master key")
    .addHelpText("after", replayHelp)
    .action(async (args: readonly string[], options: ReplayOptions) => {
      const { replay } = await import("./replay.ts");
      process.exitCode = await replay(args, options, process.env, print);
    });

/** `capstan history`, `orphans` and `replay`. */
export const addStoreCommands = (program: Command): void => {
  addHistory(program);
  addOrphans(program);
  addReplay(program);
};
