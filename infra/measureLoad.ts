import { createFunctionsCore, installFunctionsCore } from "../src/sim/functionsHost/functionsCore.ts";
import { loadApp } from "../src/sim/functionsHost/loadApp.ts";

/** `measureLoad.ts FOLDER`: loads a function app, prints how long that took and what it registers, and ends. */

const [folder = ""] = process.argv.slice(2);
const core = createFunctionsCore(() => undefined);
installFunctionsCore(core.api);
const started = performance.now();
const { functions } = await loadApp(folder, core);
const loadMs = Math.round(performance.now() - started);
const loaded = { loadMs, rssBytes: process.memoryUsage.rss(), functions: functions.map(({ name }) => name) };
process.stdout.write(`${JSON.stringify(loaded)}\n`, () => process.exit(0));
