import { byDefault, type Marked } from "../core/marked.ts";
import { ownerTag } from "../core/ownership.ts";
import type { Tags } from "../core/types.ts";
import type { ClusterScope } from "./scope.ts";

/** Tag that says what a resource is for; a constant that existing clusters carry. */
const roleTag = "sigs.k8s.io_cluster-api-provider-azure_role";

/**
 * Tags of a resource that the cluster owns: the user's, then ours, so that ours win. Role and name are our own choice:
 * they are set at creation and never forced on what exists.
 */
export const ownedTags = (
  { clusterName, additionalTags }: Pick<ClusterScope, "clusterName" | "additionalTags">,
  { role, name }: { readonly role?: string; readonly name?: string },
): Marked<Tags> => ({
  ...additionalTags,
  [ownerTag(clusterName)]: "owned",
  ...(role !== undefined && { [roleTag]: byDefault<string>(role) }),
  ...(name !== undefined && { Name: byDefault<string>(name) }),
});
