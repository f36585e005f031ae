import { allOf, type Change, same, sameSet, unlessBoth } from "../cel/change.ts";
import { type ChangeRule, stays } from "../cel/changeRule.ts";
import { everyOf, filled, given, type Part, present, someOf, textOr, valueOr } from "../cel/parts.ts";
import { hasIpv6, named, nameOf } from "./clusterParts.ts";

/**
 * What of a cluster's load balancers stays as it is. Their `sku` needs no rule: it has one value. Their `id` is not read,
 * and the addresses of outbound ones come and go with their count.
 */

const network = "spec.networkSpec";
const apiServer = `${network}.apiServerLB`;
const nodes = `${network}.nodeOutboundLB`;
const controlPlane = `${network}.controlPlaneOutboundLB`;

const enabled = valueOr("spec.controlPlaneEnabled", "true");
const isInternal: Part = (self) => `(${present(`${apiServer}.type`)(self)} && ${self}.${apiServer}.type == 'Internal')`;
const idleOf = (path: string): Part => valueOr(`${path}.idleTimeoutInMinutes`, "4");
const zonesOf = (path: string): Part => valueOr(`${path}.availabilityZones`, "[]");

/** Without a control plane of ours there is no load balancer for it, whatever the spec says. */
const elsewhere = unlessBoth(enabled);

const apiServerName = textOr(
  `${apiServer}.name`,
  (self) => `${nameOf(self)} + (${isInternal(self)} ? '-internal-lb' : '-public-lb')`,
);

const frontends = `${apiServer}.frontendIPs`;
const addressed = given("privateIP");
const noAddress = everyOf(frontends, "f", `!${addressed("f")}`);
const among = someOf(frontends, "g", `${addressed("g")} && g.privateIP == f.privateIP`);
/** Every address of one is among those of the other, or is the default of what names none. */
const foundIn = (other: string, now: string): Part =>
  everyOf(
    frontends,
    "f",
    `!${addressed("f")} || ${among(other)} || ${isInternal(now)} && f.privateIP == '10.0.0.100' && ${noAddress(other)}`,
  );
/** An internal load balancer always has an address; a public one may be given one later, and then keeps it. */
const addressStays: Change = (now, was) =>
  `${foundIn(now, now)(was)} && (!${isInternal(now)} || ${foundIn(was, now)(now)})`;

const apiServerStays: readonly ChangeRule[] = [
  stays(`${apiServer}.type`, same(isInternal), "must stay as it is; Public when absent", elsewhere),
  stays(
    `${apiServer}.name`,
    same(apiServerName),
    "must stay as it is; when absent the name of this object with -public-lb or -internal-lb",
    elsewhere,
  ),
  stays(`${apiServer}.idleTimeoutInMinutes`, same(idleOf(apiServer)), "must stay as it is; 4 when absent", elsewhere),
  stays(`${apiServer}.availabilityZones`, sameSet(zonesOf(apiServer)), "must stay the same zones", elsewhere),
  stays(
    frontends,
    addressStays,
    "must keep the privateIP; 10.0.0.100 when the type is Internal and none is there",
    elsewhere,
  ),
];

const ipv6 = hasIpv6(network);
/** Whether nodes have one: for subnets with IPv6 ranges in a public cluster it is there by itself. */
const hasNodes: Part = (self) =>
  `(${present(nodes)(self)} || ${enabled(self)} && !${isInternal(self)} && ${ipv6(self)})`;

const nodesStay: readonly ChangeRule[] = [
  stays(
    `${nodes}.name`,
    same(textOr(`${nodes}.name`, nameOf)),
    "must stay as it is; the name of this object when absent",
    unlessBoth(hasNodes),
  ),
  // Where there are no such ranges upstream lets it change, and so does Azure.
  stays(
    `${nodes}.idleTimeoutInMinutes`,
    same(idleOf(nodes)),
    "must stay as it is where subnets have IPv6 ranges; 4 when absent",
    (now, was) => `${unlessBoth(hasNodes)(now, was)} || !${ipv6(was)}`,
  ),
  stays(`${nodes}.availabilityZones`, sameSet(zonesOf(nodes)), "must stay the same zones", unlessBoth(present(nodes))),
];

const listed = `${controlPlane}.frontendIPs`;
const countOf = valueOr(
  `${controlPlane}.frontendIPsCount`,
  (self) => `${filled(listed)(self)} ? ${self}.${listed}.size() : 1`,
);

const outboundMeans = allOf(
  same(textOr(`${controlPlane}.name`, named("-outbound-lb"))),
  same(idleOf(controlPlane)),
  same(countOf),
  sameSet(zonesOf(controlPlane)),
  same(textOr(`${controlPlane}.backendPool.name`, named("-outbound-lb-outboundBackendPool"))),
);

const controlPlaneStays = stays(
  controlPlane,
  (now, was) =>
    `${same(present(controlPlane))(now, was)} && (!${present(controlPlane)(now)} || ${outboundMeans(now, was)})`,
  "must stay as it was at creation",
  elsewhere,
);

/** Rules of the whole object about changes of its load balancers. */
export const loadBalancerChanges: readonly ChangeRule[] = [...apiServerStays, ...nodesStay, controlPlaneStays];
