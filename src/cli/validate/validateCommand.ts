import { text } from "node:stream/consumers";
import { type Command, Option } from "commander";
import type { ValidateOptions } from "./validateOptions.ts";

const after = `
Each problem is a line: file:line:column: Kind/namespace/name: field: value what would be right.
Checked are the kinds of Capstan, with the schemas, rules and policies that the API server has; the rest is counted.
Warnings are what the API server accepts, but that will not work or looks like a mistake.

Status: 0 nothing would be refused, 1 something would be, 2 called wrongly or something cannot be read.

  capstan validate -f cluster.yaml
  capstan validate -R -f clusters/ --against before.yaml
  clusterctl generate cluster demo --from template.yaml | capstan validate -f - --no-fill`;

/** `capstan validate`: checks manifests without a cluster. */
export const addValidate = (program: Command): void => {
  program
    .command("validate")
    .description("check manifests offline: the verdict of the API server, every problem with its line")
    .requiredOption("-f, --filename <file...>", "files or folders to check; - is standard input")
    .option("-R, --recursive", "enter folders in folders")
    .option("--against <file...>", "the manifests as they are now, to ask the rules about changes too")
    .addOption(new Option("-o, --output <form>", "form of the result").choices(["text", "json"]).default("text"))
    .option("--set <name=value...>", "value of a variable of a template; goes before file and environment")
    .option("--variables <file>", "YAML with values of variables; goes before the environment")
    .option("--no-fill", "take variables of a template as text instead of filling them")
    .option("--strict", "end with 1 for warnings too")
    .option("--verbose", "list what is not checked")
    .addHelpText("after", after)
    .action(async (options: ValidateOptions) => {
      // It brings the rules of all kinds, which no other command needs.
      const { validate } = await import("./validate.ts");
      process.exitCode = await validate(options, {
        env: process.env,
        stdin: () => text(process.stdin),
        print: (line) => console.log(line),
        note: (line) => console.error(line),
      });
    });
};
