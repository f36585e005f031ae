import { type Command, Option } from "commander";
import { parseId } from "../../core/ids.ts";
import { ownTerminal, withPlanStatus } from "../plan/planCommand.ts";
import { UserError } from "../userError.ts";
import type { CheckOptions } from "./checkAdoption.ts";
import type { GiveOptions } from "./give.ts";
import type { Order } from "./orders.ts";

const usage = 2;

const objects = `
Objects are named as for kubectl: TYPE/NAME …, or TYPE NAME …, where TYPE is a kind, its plural or a short name.
The order is an annotation, set with your own kubeconfig: roles and audit of the API server apply, and its value says
who gave it and when.

Status: 0 all of them were given it, 1 one could not be, 2 called wrongly.`;

const example = (line: string): string => `${objects}\n\n  ${line}`;

interface Described {
  readonly kind: "retry" | "release" | "hold" | "unhold" | "adopt" | "abandon";
  readonly description: string;
  readonly example: string;
}

const described: readonly Described[] = [
  {
    kind: "retry",
    description: "try an object again now: all its back-offs end",
    example: "capstan retry azurecluster/demo",
  },
  {
    kind: "release",
    description: "let an object go on that the loop guard holds back: what it counted is forgotten",
    example: "capstan release azurecluster/demo --reason 'the policy was corrected'",
  },
  {
    kind: "hold",
    description: "write nothing to Azure for an object until `unhold`; what differs shows in its conditions",
    example: "capstan hold azurecluster/demo --reason 'looking into it'",
  },
  {
    kind: "unhold",
    description: "let an object be written again after `hold`",
    example: "capstan unhold azurecluster/demo",
  },
  {
    kind: "adopt",
    description: "take over resources that exist without our owner tag",
    example: `capstan adopt azurecluster/demo --check
  capstan adopt azurecluster/demo --id /subscriptions/…/resourceGroups/demo --dry-run`,
  },
  {
    kind: "abandon",
    description: "leave resources behind when an object is deleted, for instance when they cannot be",
    example: "capstan abandon azurecluster/demo --id /subscriptions/…/resourceGroups/demo",
  },
];

interface OrderOptions extends GiveOptions, CheckOptions {
  readonly id?: readonly string[];
  readonly none?: boolean;
  readonly check?: boolean;
}

const orderOf = (kind: Described["kind"], { id = [], none = false }: OrderOptions): Order => {
  if (none && id.length > 0) throw new UserError("--none takes all ids back: leave --id out", usage);
  if (kind === "adopt") return none ? { kind: "noAdopt" } : { kind, ids: id };
  if (kind === "abandon") return none ? { kind: "noAbandon" } : { kind, ids: id };
  return { kind };
};

const add = (program: Command, { kind, description, example: line }: Described): void => {
  const command = program
    .command(`${kind} <object...>`)
    .description(description)
    .option("-n, --namespace <name>", "namespace of the objects; default: that of the kubeconfig's context")
    .option("--reason <text>", "why; it stands in the annotation")
    .option("--dry-run", "ask the API server whether it would be allowed, say what would happen, change nothing")
    .option("--kubeconfig <file>", "default: KUBECONFIG, else ~/.kube/config")
    .option("--context <name>", "context of the kubeconfig; default: its current one");
  if (kind === "adopt" || kind === "abandon")
    command
      .option("--id <id...>", "ids of the Azure resources; they are added to those named before")
      .option("--none", "name none any more; without --id");
  if (kind === "adopt") addCheck(command);
  command
    .addHelpText("after", `${example(line)}${kind === "adopt" ? checkHelp : ""}`)
    .action(async (args: readonly string[], options: OrderOptions) => {
      process.exitCode = options.check === true ? await check(args, options) : await order(kind, args, options);
    });
};

const checkHelp = `

With --check nothing is written: Azure is read as \`capstan plan\` does, and compared as if the object had taken over what
carries its owner tag and what --id names. Status then: 0 compared, 1 with --exit-code when something would change, 2
called wrongly, 3 it cannot be compared.`;

const addCheck = (command: Command): Command =>
  command
    .option("--check", "write nothing; say what taking over would change in Azure")
    .addOption(new Option("--as <who>", "with --check: as whom Azure is read").choices(["identity", "login"]))
    .addOption(new Option("-o, --output <form>", "with --check: form of the plan").choices(["wide", "json", "yaml"]))
    .option("--exit-code", "with --check: end with 1 when something would change")
    .option("--settings <file>", "settings of the function app; default: the environment");

const check = (args: readonly string[], options: OrderOptions): Promise<number> =>
  withPlanStatus(async () => {
    if (options.none === true) throw new UserError("--none takes ids back: leave --check out", usage);
    const { checkAdoption } = await import("./checkAdoption.ts");
    return checkAdoption(args, options, ownTerminal());
  });

const order = async (kind: Described["kind"], args: readonly string[], options: OrderOptions): Promise<number> => {
  const given = orderOf(kind, options);
  if (given.kind === "adopt") await refuseStrange(args, given.ids, options);
  const { give } = await import("./give.ts");
  return give(given, args, options, {
    print: (text) => console.log(text),
    complain: (text) => console.error(text),
  });
};

const refuseStrange = async (args: readonly string[], ids: readonly string[], options: OrderOptions): Promise<void> => {
  const { settingsOf } = await import("./settings.ts");
  const { strangeId } = await import("./strangeId.ts");
  // What is no id at all is told as such later.
  const real = ids.filter((id) => parseId(id) !== undefined);
  const strange = await strangeId(args, real, options, settingsOf(options.settings, process.env));
  if (strange !== undefined) throw new UserError(strange, usage);
};

/** `capstan retry`, `release`, `hold`, `unhold`, `adopt` and `abandon`. */
export const addOrders = (program: Command): void => {
  for (const one of described) add(program, one);
};
