import { sha256 } from "../../core/hash.ts";

/**
 * Name of a role assignment that nobody named: a UUID (version 8, RFC 9562) from the id of the VM or scale set, the role
 * and where it counts, so that each turn computes the same one.
 */
export const roleAssignmentName = (holder: string, definitionID: string, scope: string): string => {
  const hash = sha256([holder, definitionID, scope].map((part) => part.toLowerCase()).join("\n"));
  const variant = "89ab"[Number.parseInt(hash[16] ?? "0", 16) % 4];
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `${variant}${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
};
