import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import type { JsonObject, KubeObject } from "../../core/types.ts";

/**
 * The object with the defaults of its schema filled in, inside what is there, as the API server does. A manifest read
 * from a file has not been through it, and AKS gets whole blocks of settings, not only what somebody wrote.
 */
export const aksDefaults = (schema: TSchema, object: Pick<KubeObject, "spec">): { readonly spec: JsonObject } => ({
  // Default writes into what it is given, and answers with it; only properties of objects are added.
  spec: Value.Default(schema, Value.Clone(object.spec)) as JsonObject,
});
