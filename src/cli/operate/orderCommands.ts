import type { Command } from "commander";
import { UserError } from "../userError.ts";
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
    example: "capstan adopt azurecluster/demo --id /subscriptions/…/resourceGroups/demo --dry-run",
  },
  {
    kind: "abandon",
    description: "leave resources behind when an object is deleted, for instance when they cannot be",
    example: "capstan abandon azurecluster/demo --id /subscriptions/…/resourceGroups/demo",
  },
];

interface OrderOptions extends GiveOptions {
  readonly id?: readonly string[];
  readonly none?: boolean;
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
  command.addHelpText("after", example(line)).action(async (args: readonly string[], options: OrderOptions) => {
    const { give } = await import("./give.ts");
    process.exitCode = await give(orderOf(kind, options), args, options, {
      print: (text) => console.log(text),
      complain: (text) => console.error(text),
    });
  });
};

/** `capstan retry`, `release`, `hold`, `unhold`, `adopt` and `abandon`. */
export const addOrders = (program: Command): void => {
  for (const one of described) add(program, one);
};
