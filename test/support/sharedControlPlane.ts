import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";

/** How a test reaches the shared management cluster. */
export interface SharedControlPlane {
  readonly kubeconfigPath: string;
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
}

declare module "vitest" {
  interface ProvidedContext {
    controlPlane: SharedControlPlane;
  }
}

/** The part of vitest's project that is used here. */
interface Project {
  provide(key: "controlPlane", value: SharedControlPlane): void;
}

/**
 * A vitest global setup: starts one management cluster with Cluster API for all files of a project, reachable as
 * `inject("controlPlane")`, and returns its end. Tests share it, so each works in a namespace of its own.
 */
export const setup = async (project: Project): Promise<() => Promise<void>> => {
  const controlPlane = await startControlPlane({ clusterApi: true, progress: (line) => console.error(line) });
  const { kubeconfigPath, url, caPem, token } = controlPlane;
  project.provide("controlPlane", { kubeconfigPath, url, caPem, token });
  return () => controlPlane.stop();
};
