import { conditionStatus } from "../core/conditions.ts";
import { idKey, sameId } from "../core/ids.ts";
import type { Fact, FactQuery, Problem } from "../core/kind.ts";
import type { KubeObject } from "../core/types.ts";
import { ids } from "../services/ids.ts";
import type { ClusterScope } from "../services/scope.ts";
import type { ClusterFacts, SettledNetwork } from "./settled.ts";

/** Whether something of the cluster is there: then a link that cannot be made shows at its service and stops nothing else. */
const isBegun = ({ status }: Pick<KubeObject, "status">): boolean =>
  status["ready"] === true || conditionStatus(status, "ResourceGroupReady") === "True";

/** Asked before the first write: Azure links a network to one private zone of a name only. */
export const zoneLinksQuery = (
  object: Pick<KubeObject, "status">,
  { subscription }: Pick<ClusterFacts, "subscription">,
  { privateDns }: Pick<SettledNetwork, "privateDns">,
): readonly FactQuery[] =>
  privateDns === undefined || isBegun(object) ? [] : [{ kind: "zoneLinks", subscription, zone: privateDns.zone }];

const linksIn = (facts: readonly Fact[], zone: string) =>
  facts.flatMap((fact) => (fact.kind === "zoneLinks" && idKey(fact.zone) === idKey(zone) ? fact.links : []));

const inTheWay = (link: string, vnet: string, zone: string): Problem => ({
  condition: "PrivateDNSLinkReady",
  severity: "Error",
  reason: "ForeignConflict",
  message: `${vnet} is linked to a private zone ${zone} already, by ${link}, and Azure links a network to one zone of a name only: set spec.networkSpec.privateDNSZoneName to another name, or name that zone with its group in spec.networkSpec.privateDNSZoneResourceGroup, or delete that link`,
});

/** Links of others that keep ours from being made. */
export const checkZoneLinks = (scope: ClusterScope, facts: readonly Fact[]): readonly Problem[] => {
  const { privateDns: dns } = scope;
  if (dns === undefined) return [];
  const found = linksIn(facts, dns.zone);
  return dns.links.flatMap(({ name, vnet }) => {
    const network = ids.remoteNetwork(scope, vnet);
    const own = ids.privateDnsChild(scope, dns, "virtualNetworkLinks", name);
    const other = found.find((link) => sameId(link.vnet, network) && !sameId(link.id, own));
    return other === undefined ? [] : [inTheWay(other.id, network, dns.zone)];
  });
};
