import type { NetworkSpec } from "../../api/cluster/azureCluster.ts";
import { given } from "../given.ts";
import type { SettledNetwork } from "../settled.ts";
import { clusterRules } from "./clusterRules.ts";
import { type Broken, broken } from "./turnRule.ts";

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Listed names are compared by the definition, so one of a pair is a default. */
const checkNames = (spec: NetworkSpec, { subnets }: SettledNetwork): readonly Broken[] => {
  const isOurs = (index: number): boolean => given(spec.subnets?.[index]?.name) === undefined;
  return subnets.flatMap(({ name, path }, index) => {
    const first = subnets.findIndex((other) => sameName(other.name, name));
    return first < index && (isOurs(index) || isOurs(first))
      ? [broken(clusterRules.subnetNames, `${path}.name`, name)]
      : [];
  });
};

/** Gateways of one name must be one gateway. */
const checkSharedGateways = ({ subnets }: SettledNetwork): readonly Broken[] => {
  const gateways = subnets.flatMap(({ path, ownNatGateway }) =>
    ownNatGateway === undefined ? [] : [{ path, ...ownNatGateway }],
  );
  return gateways.flatMap((one, index) => {
    const first = gateways.slice(0, index).find((other) => sameName(other.name, one.name));
    return first === undefined || sameName(first.publicIp.name, one.publicIp.name)
      ? []
      : [
          broken(
            clusterRules.sharedGateways,
            `${one.path}.natGateway.ip.name`,
            one.publicIp.name,
            `${first.publicIp.name} for ${first.name} at ${first.path}`,
          ),
        ];
  });
};

/** Subnets as they are with defaults, and what hangs on them. */
export const checkSubnets = (spec: NetworkSpec, network: SettledNetwork): readonly Broken[] => [
  ...checkNames(spec, network),
  ...checkSharedGateways(network),
];
