import type { ImageSpec } from "../../api/machine/image.ts";

/** What the defaults of a machine or pool follow from beside its spec. */
export interface ComputeFacts {
  /** Of the object. */
  readonly name: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly role: "control-plane" | "node";
  /** The subnets of the cluster; none where it has none to choose from, as of AKS. */
  readonly subnets: readonly { readonly name: string; readonly role: string }[];
  /** See `defaultImage`; looked for only where the spec has none. */
  readonly image?: ImageSpec;
  /** Whether the VM size can bypass the host's virtual switch, once that was looked up. */
  readonly acceleratedNetworking?: boolean;
}
