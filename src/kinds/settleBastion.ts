import type { AzureClusterSpec } from "../api/cluster/azureCluster.ts";
import type { BastionHost } from "../services/scope.ts";
import { chosen } from "./asked.ts";
import type { CompleteBastion } from "./complete.ts";

type Said = NonNullable<NonNullable<AzureClusterSpec["bastionSpec"]>["azureBastion"]>;

/** The bastion host of the complete form. `said`: the same in the spec itself. */
export const settleBastion = (bastion: CompleteBastion, said: Said | undefined): BastionHost => ({
  name: bastion.name,
  subnet: bastion.subnet.name,
  publicIp: bastion.publicIP.name,
  sku: chosen(bastion.sku ?? "Basic", said?.sku),
  enableTunneling: chosen(bastion.enableTunneling ?? false, said?.enableTunneling),
});
