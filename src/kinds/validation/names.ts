import type { NetworkSpec } from "../../api/cluster/azureCluster.ts";
import { publicIpsOf } from "../clusterScope.ts";
import type { SettledNetwork } from "../settled.ts";
import { clusterRules } from "./clusterRules.ts";
import { repeated } from "./repeated.ts";
import { type Broken, broken } from "./turnRule.ts";

/** Azure's rules (https://learn.microsoft.com/azure/azure-resource-manager/management/resource-name-rules). */
const networkName = /^[A-Za-z0-9_](?:[-\w.]{0,78}[A-Za-z0-9_])?$/;
const domainNameLabel = /^[a-z][a-z0-9-]{1,61}[a-z0-9]$/;

/** Every text in a value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

const namesIn = (network: SettledNetwork): readonly (readonly [string, string])[] => [
  ...network.subnets.flatMap(({ ownNatGateway }) =>
    ownNatGateway === undefined ? [] : [["public IP address", ownNatGateway.publicIp.name] as const],
  ),
  ...network.loadBalancers.flatMap(({ name, backendPool, frontends }) => [
    ["load balancer", name] as const,
    ["backend pool", backendPool] as const,
    ...frontends.map((frontend) => ["frontend", frontend.name] as const),
  ]),
];

/** Names that the spec itself has are for the definition. */
const checkDerived = (spec: NetworkSpec, network: SettledNetwork): readonly Broken[] => {
  const listed = new Set(textsIn(spec));
  return namesIn(network)
    .filter(([, name]) => !listed.has(name) && !networkName.test(name))
    .map(([what, name]) => broken(clusterRules.derivedNames, "spec.networkSpec", name, what));
};

/** An address serves one thing, and its default name in DNS must be one that Azure takes. */
const checkPublicIps = (network: SettledNetwork): readonly Broken[] => {
  const ips = publicIpsOf(network);
  const path = "spec.networkSpec.apiServerLB.frontendIPs";
  return [
    ...repeated(ips.map(({ name }) => name)).map((name) =>
      broken(clusterRules.publicIpNames, "spec.networkSpec", name, "it serves several"),
    ),
    ...ips.flatMap(({ dnsName }) => {
      const label = dnsName?.value.split(".")[0] ?? "";
      return dnsName === undefined || dnsName.asked || domainNameLabel.test(label)
        ? []
        : [broken(clusterRules.dnsLabel, `${path}[].publicIP.dnsName`, label)];
    }),
  ];
};

/** Names that come about by defaults. */
export const checkNames = (spec: NetworkSpec, network: SettledNetwork): readonly Broken[] => [
  ...checkDerived(spec, network),
  ...checkPublicIps(network),
];
