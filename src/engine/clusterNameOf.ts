import { labels } from "../core/annotations.ts";
import type { KubeObject } from "../core/types.ts";

/** Name of the cluster that an object belongs to, by its label or its owner; undefined when nothing says so. */
export const clusterNameOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.labels[labels.clusterName] ?? metadata.ownerReferences.find(({ kind }) => kind === "Cluster")?.name;
