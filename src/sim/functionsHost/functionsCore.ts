import Module from "node:module";
import type { Binding, FunctionCallback, FunctionMetadata, LogLevel, ProgrammingModel } from "./rpc.ts";

export interface RegisteredFunction {
  readonly name: string;
  readonly metadata: FunctionMetadata;
  readonly bindings: readonly Binding[];
  readonly callback: FunctionCallback;
}

const hookNames = ["preInvocation", "postInvocation", "appStart", "appTerminate", "log"] as const;
type HookName = (typeof hookNames)[number];
type HookCallback = (context: object) => unknown;

/** What an app has registered through `@azure/functions`. */
export interface FunctionsCore {
  /** The module that answers `require("@azure/functions-core")`. */
  readonly api: object;
  functions(): readonly RegisteredFunction[];
  hooks(name: HookName): readonly HookCallback[];
  model(): ProgrammingModel | undefined;
  /** Ends registration: a later `app.*` call throws, as in the worker. */
  lock(): void;
}

class Disposable {
  readonly #dispose: () => void;
  constructor(dispose: () => void) {
    this.#dispose = dispose;
  }
  static from(...items: readonly Disposable[]): Disposable {
    return new Disposable(() => {
      for (const item of items) item.dispose();
    });
  }
  dispose(): void {
    this.#dispose();
  }
}

const isHookName = (name: string): name is HookName => hookNames.some((known) => known === name);

// Through JSON, as the worker does: what cannot be serialised never reaches the host.
const rawBindings = (metadata: FunctionMetadata): readonly Binding[] =>
  Object.entries(metadata.bindings).map(([name, binding]): Binding => JSON.parse(JSON.stringify({ ...binding, name })));

/**
 * The worker's side of `@azure/functions`: the module `@azure/functions-core`, which no package contains.
 * Version numbers are those of a worker that knows Node 24.
 */
export const createFunctionsCore = (
  log: (level: LogLevel, category: string, message: string) => void,
): FunctionsCore => {
  const functions = new Map<string, RegisteredFunction>();
  const hooks = new Map<HookName, HookCallback[]>();
  let model: ProgrammingModel | undefined;
  let locked = false;
  const registerHook = (name: string, callback: HookCallback): Disposable => {
    if (!isHookName(name))
      throw Object.assign(new RangeError(`Unknown hook "${name}"`), { isAzureFunctionsSystemError: true });
    const callbacks = hooks.get(name) ?? [];
    hooks.set(name, [...callbacks, callback]);
    return new Disposable(() =>
      hooks.set(
        name,
        (hooks.get(name) ?? []).filter((other) => other !== callback),
      ),
    );
  };
  const registerFunction = (metadata: FunctionMetadata, callback: FunctionCallback): Disposable => {
    const { name } = metadata;
    if (locked) throw new Error(`Function "${name}" was registered after the app had been loaded`);
    if (functions.has(name)) throw new Error(`Two functions are named "${name}"`);
    functions.set(name, { name, metadata, bindings: rawBindings(metadata), callback });
    return new Disposable(() => functions.delete(name));
  };
  return {
    api: {
      version: "3.12.0",
      hostVersion: "4.1040.0",
      Disposable,
      registerHook,
      registerFunction,
      setProgrammingModel: (given: ProgrammingModel) => {
        model = given;
      },
      getProgrammingModel: () => model,
      log,
    },
    functions: () => [...functions.values()],
    hooks: (name) => hooks.get(name) ?? [],
    model: () => model,
    lock: () => {
      locked = true;
    },
  };
};

/**
 * Answers every `require("@azure/functions-core")` of this process with `api`, at the point where the worker does.
 * `@azure/functions` is CommonJS, so this also serves apps that are ES modules.
 */
export const installFunctionsCore = (api: object): void => {
  const answer = (target: Module["require"], self: unknown, args: readonly unknown[]): unknown =>
    args[0] === "@azure/functions-core" ? api : Reflect.apply(target, self, args);
  Module.prototype.require = new Proxy<Module["require"]>(Reflect.get(Module.prototype, "require"), { apply: answer });
};
