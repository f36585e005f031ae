import type { AzureManagedControlPlaneSpec } from "../../api/aks/azureManagedControlPlane.ts";
import type { ControlPlaneFacts } from "../aksDefaults.ts";
import { holds, parseAddress, parseCidr } from "../cidr.ts";
import { given } from "../given.ts";
import { isPublicKey } from "../machine/publicKey.ts";
import { type Broken, broken } from "../validation/turnRule.ts";
import { aksRules } from "./aksRules.ts";

const inCluster = "Cluster.spec.clusterNetwork";

const checkDnsAddress = (address: string | undefined, serviceCidrs: readonly string[]): readonly Broken[] => {
  if (address === undefined) return [];
  const [range] = serviceCidrs.map(parseCidr);
  const parsed = parseAddress(address);
  // What is no address is refused by the definition.
  if (parsed === undefined || (range !== undefined && holds(range, parsed))) return [];
  const [cidr] = serviceCidrs;
  const detail = cidr === undefined ? "it has none" : `it is ${cidr}`;
  return [broken(aksRules.dnsServiceAddress, "spec.dnsServiceIP", address, detail)];
};

const checkMember = ({ clusterName }: ControlPlaneFacts, spec: AzureManagedControlPlaneSpec): readonly Broken[] => {
  const isDefault = spec.fleetsMember !== undefined && given(spec.fleetsMember.name) === undefined;
  if (!isDefault || clusterName === "" || /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(clusterName)) return [];
  return [broken(aksRules.memberName, "spec.fleetsMember.name", undefined)];
};

/**
 * What cannot work in the spec of a control plane that its definition lets pass, because it takes the Cluster or more
 * than CEL can say. Of the key itself nothing is told.
 */
export const checkControlPlane = (facts: ControlPlaneFacts, spec: AzureManagedControlPlaneSpec): readonly Broken[] => {
  const services = facts.clusterNetwork?.services?.cidrBlocks ?? [];
  const pods = facts.clusterNetwork?.pods?.cidrBlocks ?? [];
  const key = given(spec.sshPublicKey);
  return [
    ...(services.length > 1 ? [broken(aksRules.serviceRanges, `${inCluster}.services.cidrBlocks`, services)] : []),
    ...(pods.length > 1 ? [broken(aksRules.podRanges, `${inCluster}.pods.cidrBlocks`, pods)] : []),
    ...checkDnsAddress(given(spec.dnsServiceIP), services),
    ...checkMember(facts, spec),
    ...(key !== undefined && !isPublicKey(key) ? [broken(aksRules.sshPublicKey, "spec.sshPublicKey", key)] : []),
  ];
};
