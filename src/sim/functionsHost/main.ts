import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { exitWithParent } from "../process/exitWithParent.ts";
import { startHost } from "./host.ts";
import { createLog } from "./log.ts";
import { parseSettings } from "./settings.ts";

/** Time for running invocations to end after SIGTERM. */
const graceMs = 5_000;
/** Time for the answer of a timed-out invocation to leave before the process does. */
const lastWordsMs = 200;

const { values: flags } = parseArgs({
  options: {
    app: { type: "string" },
    main: { type: "string" },
    settings: { type: "string" },
    keys: { type: "string" },
    port: { type: "string", default: "0" },
    "no-timers": { type: "boolean", default: false },
    "exit-with-parent": { type: "boolean", default: false },
  },
});

const readSettings = (file: string | undefined): Readonly<Record<string, string>> => {
  if (file === undefined) return {};
  const parsed = parseSettings(JSON.parse(readFileSync(file, "utf8")));
  if (parsed.kind === "problems") throw new Error(`${file}: ${parsed.problems.join("; ")}`);
  return parsed.value;
};

// Standard output begins with the ready line; what comes before it goes to standard error.
let ready = false;
const log = createLog((line) => (ready ? process.stdout : process.stderr).write(line), Date.now);

const start = async (): Promise<void> => {
  if (flags.app === undefined) throw new Error("--app is missing");
  Object.assign(process.env, readSettings(flags.settings));
  const settings = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const host = await startHost({
    app: resolve(flags.app),
    main: flags.main,
    settings,
    port: Number(flags.port),
    keysFile: flags.keys,
    timers: !flags["no-timers"],
    log,
    onTimeout: () => setTimeout(() => process.exit(1), lastWordsMs),
  });
  const { port, masterKey, functionKey, functions } = host;
  process.stdout.write(`${JSON.stringify({ port, masterKey, functionKey, functions })}\n`);
  ready = true;
  process.once("SIGTERM", () => void host.stop(graceMs).finally(() => process.exit(0)));
};

if (flags["exit-with-parent"]) exitWithParent(() => process.exit(0));
try {
  await start();
} catch (error) {
  log("critical", "the app could not be started", {
    error: error instanceof Error ? error.message : String(error),
    ...(error instanceof Error && { stack: error.stack }),
  });
  process.exit(1);
}
