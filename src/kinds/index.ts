import { type RunnableKind, runnable } from "../core/runnableKind.ts";
import { azureCluster } from "./azureCluster.ts";

/** The kinds that are reconciled, by name. */
export const kinds: ReadonlyMap<string, RunnableKind> = new Map([[azureCluster.kind, runnable(azureCluster)]]);
