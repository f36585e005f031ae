import { listedAll } from "../cel/listed.ts";
import { everyOf, filled, given, present, someOf, textAt, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import type { Rule } from "../schema.ts";
import { withRanges } from "./addressRanges.ts";

/** Rules about the whole spec of a cluster, because they look at the network and at who provides the control plane. */

const enabled = valueOr("controlPlaneEnabled", "true");
const typeOf = textAt("networkSpec.apiServerLB.type");
const zoneOf = textAt("networkSpec.privateDNSZoneName");

const internal = `${typeOf("self")} == 'Internal'`;
const outbound = present("networkSpec.controlPlaneOutboundLB");

const privateZone = (control: string): Rule => ({
  rule: `${zoneOf("self")} == '' || ${internal} || !${control}`,
  message: "must be absent unless apiServerLB is Internal",
  fieldPath: ".networkSpec.privateDNSZoneName",
});

const onlyWayOut = (control: string): Rule => ({
  rule: `!${outbound("self")} || ${internal} || !${control}`,
  message: "must be absent when apiServerLB is Public: the control plane reaches out through that one",
  fieldPath: ".networkSpec.controlPlaneOutboundLB",
});

/** Rules of a template's cluster, which always has a control plane. */
export const templateClusterRules: readonly Rule[] = [privateZone("true"), onlyWayOut("true")];

const subnets = "networkSpec.subnets";
const frontends = "networkSpec.apiServerLB.frontendIPs";

const isHome = "s.role in ['control-plane', 'cluster']";
/** A network in a group of its own may have been there before, and its subnets have what ranges they have. */
const elsewhere = `${given("networkSpec.vnet.resourceGroup")("self")} && (!${given("resourceGroup")("self")} || self.networkSpec.vnet.resourceGroup.lowerAscii() != self.resourceGroup.lowerAscii())`;
/** Azure's default range for them is ours, see the defaults of the network. */
const inDefault = (address: string): string => `(${elsewhere} || cidr('10.0.0.0/16').containsIP(${address}))`;
const inSubnet = (address: string): string =>
  `(${filled("cidrBlocks")("s")} ? s.cidrBlocks.exists(c, !isCIDR(c) || cidr(c).containsIP(${address})) : ${inDefault(address)})`;
const atHome = (address: string): string =>
  `(${someOf(subnets, "s", isHome)("self")} ? self.${subnets}.exists(s, ${isHome} && ${inSubnet(address)}) : ${inDefault(address)})`;

const homes = `(${filled(subnets)("self")} ? ${listedAll(`self.${subnets}.map(s, ${isHome}, ${withRanges("s", "10.0.0.0/16")})`, ", ", "10.0.0.0/16")} : '10.0.0.0/16')`;

/** The default address counts: it is as wrong in a subnet elsewhere as a listed one. */
const defaultAddress = "10.0.0.100";

const addressAtHome: Rule = {
  rule: `!${enabled("self")} || ${everyOf(frontends, "f", `!${given("privateIP")("f")} || !isIP(f.privateIP) || ${atHome("f.privateIP")}`)("self")} && (!(${internal}) || ${someOf(frontends, "f", given("privateIP")("f"))("self")} || ${atHome(`'${defaultAddress}'`)})`,
  message: `must have a privateIP inside the control-plane subnet; ${defaultAddress} when the type is Internal and none is there`,
  messageExpression: `'must have a privateIP inside the control-plane subnet, %s; ${defaultAddress} when the type is Internal and none is there'.format([${homes}])`,
  fieldPath: ".networkSpec.apiServerLB.frontendIPs",
};

/** What a cluster must name; a template may leave it to patches. */
const identity: Rule = {
  rule: given("identityRef.name")("self"),
  message: "must name an AzureClusterIdentity",
  fieldPath: ".identityRef",
};
const identityKind: Rule = {
  rule: "!has(self.identityRef) || has(self.identityRef.kind) && self.identityRef.kind == 'AzureClusterIdentity'",
  message: "must have the kind AzureClusterIdentity",
  fieldPath: ".identityRef",
};

/** Rules of a cluster that may have been there before them. */
export const clusterRules: readonly Rule[] = [
  ...unlessUnchanged([textAt("identityRef.name")], identity),
  ...unlessUnchanged([textAt("identityRef.kind"), present("identityRef")], identityKind),
  ...unlessUnchanged([zoneOf, typeOf, enabled], privateZone(enabled("self"))),
  ...unlessUnchanged([outbound, typeOf, enabled], onlyWayOut(enabled("self"))),
  ...unlessUnchanged([valueOr(subnets, "[]"), valueOr(frontends, "[]"), typeOf, enabled], addressAtHome),
];
