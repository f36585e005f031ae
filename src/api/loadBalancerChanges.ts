import {
  both,
  everyOf,
  given,
  type Input,
  present,
  same,
  sameSet,
  someOf,
  stays,
  textOr,
  valueOr,
} from "./effective.ts";
import type { Rule } from "./schema.ts";

/**
 * What of a cluster's load balancers stays as it is. Their `sku` needs no rule: it has one value. Their `id` is not read,
 * and the addresses of outbound ones come and go with their count.
 */

const network = "spec.networkSpec";
const apiServer = `${network}.apiServerLB`;
const nodes = `${network}.nodeOutboundLB`;
const controlPlane = `${network}.controlPlaneOutboundLB`;

const nameOf: Input = (self) => `${self}.metadata.name`;
const enabled = valueOr("spec.controlPlaneEnabled", "true");
const isInternal: Input = (self) =>
  `(${present(`${apiServer}.type`)(self)} && ${self}.${apiServer}.type == 'Internal')`;
const idleOf = (path: string): Input => valueOr(`${path}.idleTimeoutInMinutes`, "4");
const zonesOf = (path: string): Input => valueOr(`${path}.availabilityZones`, "[]");
const isThere =
  (path: string): Input =>
  (self) =>
    `(${present(path)(self)})`;

/** Without a control plane of ours there is no load balancer for it, whatever the spec says. */
const elsewhere = `!${both(enabled)}`;

const apiServerName = textOr(
  `${apiServer}.name`,
  (self) => `${nameOf(self)} + (${isInternal(self)} ? '-internal-lb' : '-public-lb')`,
);

const frontends = `${apiServer}.frontendIPs`;
const addressed = given("privateIP");
const noAddress = everyOf(frontends, "f", `!${addressed("f")}`);
const isDefault = (frontend: string): string => `${isInternal("self")} && ${frontend}.privateIP == '10.0.0.100'`;
const among = (self: string): string => someOf(frontends, "g", `${addressed("g")} && g.privateIP == f.privateIP`)(self);
/** An internal load balancer always has an address; a public one may be given one later, and then keeps it. */
const addressStays = `${everyOf(frontends, "f", `!${addressed("f")} || ${among("self")} || ${isDefault("f")} && ${noAddress("self")}`)("oldSelf")} && (!${isInternal("self")} || ${everyOf(frontends, "f", `!${addressed("f")} || ${among("oldSelf")} || ${isDefault("f")} && ${noAddress("oldSelf")}`)("self")})`;

const apiServerStays: readonly Rule[] = [
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

const hasIpv6 = someOf(
  `${network}.subnets`,
  "s",
  `s.role in ['node', 'cluster'] && ${someOf("cidrBlocks", "c", "c.contains(':')")("s")}`,
);
/** Whether nodes have one: for subnets with IPv6 ranges in a public cluster it is there by itself. */
const hasNodes: Input = (self) =>
  `(${isThere(nodes)(self)} || ${enabled(self)} && !${isInternal(self)} && ${hasIpv6(self)})`;

const nodesStay: readonly Rule[] = [
  stays(
    `${nodes}.name`,
    same(textOr(`${nodes}.name`, nameOf)),
    "must stay as it is; the name of this object when absent",
    `!${both(hasNodes)}`,
  ),
  // Where there are no such ranges upstream lets it change, and so does Azure.
  stays(
    `${nodes}.idleTimeoutInMinutes`,
    same(idleOf(nodes)),
    "must stay as it is where subnets have IPv6 ranges; 4 when absent",
    `!${both(hasNodes)} || !${hasIpv6("oldSelf")}`,
  ),
  stays(`${nodes}.availabilityZones`, sameSet(zonesOf(nodes)), "must stay the same zones", `!${both(isThere(nodes))}`),
];

const listed = `${controlPlane}.frontendIPs`;
const countOf: Input = (self) =>
  `(${present(`${controlPlane}.frontendIPsCount`)(self)} ? ${self}.${controlPlane}.frontendIPsCount : ${present(listed)(self)} && ${self}.${listed}.size() > 1 ? ${self}.${listed}.size() : 1)`;
const named =
  (suffix: string): Input =>
  (self) =>
    `${nameOf(self)} + '${suffix}'`;

const outboundMeans: readonly string[] = [
  same(textOr(`${controlPlane}.name`, named("-outbound-lb"))),
  same(idleOf(controlPlane)),
  same(countOf),
  sameSet(zonesOf(controlPlane)),
  same(textOr(`${controlPlane}.backendPool.name`, named("-outbound-lb-outboundBackendPool"))),
];

const controlPlaneStays = stays(
  controlPlane,
  `${same(isThere(controlPlane))} && (!${isThere(controlPlane)("self")} || ${outboundMeans.join(" && ")})`,
  "must stay as it was at creation",
  elsewhere,
);

/** Rules of the whole object about changes of its load balancers. */
export const loadBalancerChanges: readonly Rule[] = [...apiServerStays, ...nodesStay, controlPlaneStays];
