import type { SettledNetwork } from "../settled.ts";
import { clusterRules } from "./clusterRules.ts";
import { type Broken, broken } from "./turnRule.ts";

/** The bastion host as it is with defaults (https://learn.microsoft.com/azure/bastion/configuration-settings#subnet). */
export const checkBastion = ({ bastion }: SettledNetwork): readonly Broken[] =>
  bastion === undefined || bastion.subnet.toLowerCase() === "azurebastionsubnet"
    ? []
    : [broken(clusterRules.bastionSubnet, "spec.bastionSpec.azureBastion.subnet.name", bastion.subnet)];
