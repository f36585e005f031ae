import { type Broken, broken } from "../validation/turnRule.ts";
import { aksRules } from "./aksRules.ts";

/** A pool of the same cluster. */
export interface PoolState {
  readonly name: string;
  readonly mode: "System" | "User";
  readonly deleting: boolean;
}

/** What else decides whether the last System pool may go. */
export interface PoolSurroundings {
  /** All pools with the Cluster's label, the one that is judged among them. */
  readonly pools: readonly PoolState[];
  /** Whether the pool that is judged is a System pool in Azure. */
  readonly wasSystem: boolean;
  readonly clusterDeleting: boolean;
  /** Whether `clusterctl.cluster.x-k8s.io/delete-for-move` is on the pool: only the object goes. */
  readonly deleteForMove: boolean;
}

/**
 * Whether a pool is the last System pool and is about to be none, by its mode or by its deletion. A pool that is itself
 * being deleted does not count as another one.
 */
export const checkLastSystemPool = (
  { name, mode, deleting }: PoolState,
  { pools, wasSystem, clusterDeleting, deleteForMove }: PoolSurroundings,
): readonly Broken[] => {
  const goes = deleting ? mode === "System" || wasSystem : mode === "User" && wasSystem;
  const stays = pools.some((pool) => pool.name !== name && pool.mode === "System" && !pool.deleting);
  if (!goes || stays || clusterDeleting || deleteForMove) return [];
  return [
    deleting
      ? broken(aksRules.systemPoolLeft, "metadata.deletionTimestamp", undefined)
      : broken(aksRules.systemPoolStays, "spec.mode", mode),
  ];
};
