import { startStack } from "../../src/sim/stack/startStack.ts";

/** How a test in another process reaches the shared stack. */
export interface SharedStack {
  /** uid of the management cluster, as messages name it. */
  readonly cluster: string;
  readonly kubeconfigPath: string;
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  /** Of the Azure simulator; `armAdmin(() => azureUrl)` inspects it. */
  readonly azureUrl: string;
  readonly functionsUrl: string;
  readonly masterKey: string;
  /** App settings of the functions; they hold the connection strings. */
  readonly settings: Readonly<Record<string, string>>;
}

declare module "vitest" {
  interface ProvidedContext {
    stack: SharedStack;
  }
}

/** The part of vitest's project that is used here. */
interface Project {
  provide(key: "stack", value: SharedStack): void;
}

/**
 * A vitest global setup: starts the whole stack once for all files of a project, reachable as `inject("stack")`, and
 * returns its end. Tests share it, so each works in a namespace and a resource group of its own and kills nothing; a test
 * that does calls `startStack` itself.
 */
export const setup = async (project: Project): Promise<() => Promise<void>> => {
  const stack = await startStack({ progress: (line) => console.error(line) });
  const { kubeconfigPath, url, caPem, token } = stack.controlPlane;
  const { port, masterKey } = stack.functions.current();
  project.provide("stack", {
    cluster: stack.cluster,
    kubeconfigPath,
    url,
    caPem,
    token,
    azureUrl: `http://127.0.0.1:${stack.azureSimulator.current().port}`,
    functionsUrl: `http://127.0.0.1:${port}`,
    masterKey,
    settings: stack.settings,
  });
  return () => stack.stop();
};
