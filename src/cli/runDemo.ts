import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { textAt, valueAt } from "../api/json.ts";
import { kinds } from "../kinds/index.ts";
import { withFileLock } from "../sim/controlPlane/fileLock.ts";
import type { Stack } from "../sim/stack/stack.ts";
import { startStack } from "../sim/stack/startStack.ts";
import { type DemoOptions, portsOf } from "./demoOptions.ts";
import { missingIdentities } from "./identities.ts";
import { asDocuments, type ManifestObject, readManifest } from "./manifest.ts";
import { isDecorated } from "./plan/planCommand.ts";
import { plansFromNothing } from "./plan/plansFromNothing.ts";
import { printPlans } from "./plan/printPlans.ts";
import { openScreen, type Screen } from "./screen.ts";
import { UserError } from "./userError.ts";
import { watchDemo } from "./watchDemo.ts";

/** Status of a program that Ctrl-C ended. */
const interruptedStatus = 130;
const secondMs = 1_000;
const reconciled: ReadonlySet<string> = new Set(kinds.keys());

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
/** What another program said about what it was given; shown without a stack. */
const asUserError = (error: unknown): never => {
  throw new UserError(messageOf(error));
};

const writeReasons: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "what should be its folder is a file",
  EEXIST: "it is a file",
  EISDIR: "it is a folder",
  EACCES: "not allowed",
};

const notWritable =
  (what: string) =>
  (error: unknown): never => {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new UserError(`${what}: cannot be written: ${writeReasons[code] ?? messageOf(error)}`);
  };

const isReconciled = ({ kind }: ManifestObject): boolean => reconciled.has(kind);
/** Objects of a managed topology are made by Cluster API, also those that this build reconciles. */
const hasTopology = ({ kind, body }: ManifestObject): boolean =>
  kind === "Cluster" && valueAt(body, "spec", "topology") !== undefined;

/** Those that the manifest names, and the one for objects that name none. */
const subscriptionsOf = (manifest: readonly ManifestObject[], env: NodeJS.ProcessEnv): readonly string[] => [
  ...new Set([
    ...(env["AZURE_SUBSCRIPTION_ID"] ? [env["AZURE_SUBSCRIPTION_ID"]] : []),
    ...manifest.flatMap(({ body }) =>
      [["spec"], ["spec", "template", "spec"]].flatMap((path) => textAt(body, ...path, "subscriptionID") ?? []),
    ),
  ]),
];

const startWith = (options: DemoOptions, manifest: readonly ManifestObject[], screen: Screen): Promise<Stack> => {
  const subscriptions = subscriptionsOf(manifest, process.env);
  return startStack({
    progress: (line) => screen.say(line),
    ports: portsOf(options),
    azure: {
      latency: options.latency,
      ...(options.anySubscription !== true && subscriptions.length > 0 && { subscriptions }),
    },
    ...(options.data !== undefined && { dir: resolve(options.data) }),
    ...(options.requests !== undefined && { requestsFile: resolve(options.requests) }),
  }).catch(asUserError);
};

/** Applies the manifest, and before it what it takes for granted. */
const applyManifest = async (stack: Stack, manifest: readonly ManifestObject[], screen: Screen): Promise<void> => {
  const additions = missingIdentities(manifest);
  for (const { name } of additions) screen.say(`${name} is not in the manifest: made one for the simulated Azure`);
  const bodies = [...additions.flatMap((addition) => addition.bodies), ...manifest.map(({ body }) => body)];
  const said = await stack.kubectl(["apply", "-f", "-"], asDocuments(bodies)).catch(asUserError);
  for (const line of String(said).trimEnd().split("\n")) screen.say(line);
};

/** Settings by which `capstan history` and its siblings find this stack; for its user only, since keys are among them. */
const writeSettings = async (stack: Stack): Promise<string> => {
  const file = join(stack.logs, "..", "capstan.env");
  const { port, masterKey } = stack.functions.current();
  const app = { CAPSTAN_APP_URL: `http://127.0.0.1:${port}`, CAPSTAN_APP_KEY: masterKey };
  const lines = Object.entries({ ...stack.settings, ...app }).map(([name, value]) => `${name}='${value}'\n`);
  await writeFile(file, lines.join(""), { mode: 0o600 });
  return file;
};

const introduce = async (stack: Stack, screen: Screen): Promise<void> => {
  const { kubeconfigPath, kubectlPath } = stack.controlPlane;
  const settings = await writeSettings(stack);
  for (const line of [
    "",
    "The stack is up. To look at it from another terminal:",
    `  export KUBECONFIG=${kubeconfigPath}`,
    `  ${kubectlPath} get cluster-api -A     (or your own kubectl)`,
    `  npm run capstan -- history azurecluster/quickstart --settings ${settings}`,
    `  logs: ${stack.logs}`,
    "",
  ])
    screen.say(line);
};

const prepare = async (options: DemoOptions): Promise<readonly ManifestObject[]> => {
  const manifest = await readManifest(options.manifest, process.env);
  if (options.once === true && !manifest.some((object) => isReconciled(object) || hasTopology(object)))
    throw new UserError(
      `${options.manifest}: holds nothing of a kind that this build reconciles (${[...reconciled].join(", ")})`,
    );
  if (options.requests !== undefined)
    await writeFile(options.requests, "").catch(notWritable(`--requests ${options.requests}`));
  return manifest;
};

const run = async (
  options: DemoOptions,
  stack: Stack,
  manifest: readonly ManifestObject[],
  screen: Screen,
  ended: AbortSignal,
): Promise<number> => {
  const once = options.once === true;
  await introduce(stack, screen);
  await applyManifest(stack, manifest, screen);
  if (!once) screen.say("Ctrl-C ends it.");
  const verdict = await watchDemo({
    stack,
    screen,
    wanted: manifest.filter(isReconciled).map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`),
    reconciled,
    timeoutMs: once ? options.timeout * secondMs : undefined,
    untilReady: once,
    ended,
  });
  if (!once) return 0;
  if (ended.aborted) return interruptedStatus;
  if (verdict.reasons.length === 0) {
    screen.say("ready");
    return 0;
  }
  screen.say(`not ready after ${options.timeout} s:`);
  for (const reason of verdict.reasons) screen.say(`  ${reason}`);
  return 1;
};

/** What will be asked of the simulated Azure. */
const showPlan = async (manifest: readonly ManifestObject[], screen: Screen): Promise<void> => {
  const say = (line: string): void => screen.say(line);
  const plans = await plansFromNothing(manifest, process.env["AZURE_SUBSCRIPTION_ID"], say);
  const decorated = isDecorated(process.stdout.isTTY, process.env);
  printPlans(plans, "wide", { print: say, note: say, decorated });
};

/** Runs the demo with a manifest that has been read. */
const runWith = async (options: DemoOptions, manifest: readonly ManifestObject[]): Promise<number> => {
  const screen = openScreen(process.stdout, process.env, Date.now);
  if (options.plan === true) await showPlan(manifest, screen);
  const ended = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => ended.abort());
  const interrupted = new Promise<undefined>((done) => ended.signal.addEventListener("abort", () => done(undefined)));
  const stack = await Promise.race([startWith(options, manifest, screen), interrupted]);
  // What has been started by then ends with this process.
  if (stack === undefined) process.exit(interruptedStatus);
  void interrupted.then(() => stack.stop());
  try {
    return await run(options, stack, manifest, screen, ended.signal);
  } catch (error) {
    // What was under way failed because it was ended.
    if (ended.signal.aborted) return interruptedStatus;
    throw error;
  } finally {
    await stack.stop();
  }
};

/** Two stacks over one folder would spoil each other's data. */
const aloneIn = async (data: string, work: () => Promise<number>): Promise<number> => {
  await mkdir(resolve(data), { recursive: true }).catch(notWritable(`--data ${data}`));
  const inUse = (): never => {
    throw new UserError(`--data ${data}: another demo is using this folder`);
  };
  return withFileLock(join(resolve(data), "demo.lock"), inUse, work);
};

/** Runs the demo and returns its exit status. Fails with a `UserError` for what its caller can put right. */
export const runDemo = async (options: DemoOptions): Promise<number> => {
  const manifest = await prepare(options);
  return options.data === undefined
    ? runWith(options, manifest)
    : aloneIn(options.data, () => runWith(options, manifest));
};
