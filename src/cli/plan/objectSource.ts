import type { KubeObject, ObjectKey } from "../../core/types.ts";

/** Where objects come from: files, a management cluster, or both. Rejects with a `UserError` when it cannot be read. */
export interface ObjectSource {
  /** Undefined: there is none. */
  readonly get: (key: ObjectKey) => Promise<KubeObject | undefined>;
  /** Decoded values of a secret; undefined: there is none. */
  readonly secret: (namespace: string, name: string) => Promise<Readonly<Record<string, string>> | undefined>;
  /** All objects of a kind, in all namespaces; undefined: they may not be listed. */
  readonly list: (kind: string) => Promise<readonly KubeObject[] | undefined>;
}
