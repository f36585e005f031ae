import type { Rule } from "../schema.ts";

/** Longer than any id: a group has at most 90 characters, a name at most 80, and types are short. */
export const idLimits = { maxLength: 1024 } as const;

/**
 * The value is the id of a resource of one type, in a resource group, in any case; or it is empty, which says nothing.
 * `prefixed` lets it begin with `azure://`, as ids of Nodes do.
 */
export const isIdOf = (type: string, options: { readonly prefixed?: boolean } = {}): Rule => {
  const pattern = `^${options.prefixed === true ? "(azure://)?" : ""}/subscriptions/[^/]+/resourcegroups/[^/]+/providers/${type
    .toLowerCase()
    .replace(".", "[.]")}/[^/]+$`;
  const prefix = options.prefixed === true ? ", with or without azure:// before it" : "";
  return {
    rule: `self == '' || self.lowerAscii().matches('${pattern}')`,
    message: `must be like /subscriptions/…/resourceGroups/…/providers/${type}/…${prefix}`,
  };
};
