import type { World } from "../armState.ts";
import { type JsonObject, listAt, objectAt, propertiesOf, textAt, textsAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { keyOf, nameOf } from "../resourceTarget.ts";
import { located, referencesTo } from "../store.ts";
import type { Draft } from "../typeRules.ts";
import { addressOf, firstFree, isReserved, type Prefix, prefixOf } from "./addresses.ts";

/** The prefixes of a subnet, whichever field holds them. */
export const subnetPrefixes = (subnet: JsonObject): readonly string[] => {
  const list = textsAt(subnet, "properties", "addressPrefixes");
  const single = textAt(subnet, "properties", "addressPrefix");
  return list.length > 0 || single === "" ? list : [single];
};

const wantedBits = (configuration: JsonObject): number =>
  textAt(configuration, "properties", "privateIPAddressVersion") === "IPv6" ? 128 : 32;

const prefixFor = (subnet: JsonObject, bits: number): Prefix | undefined =>
  subnetPrefixes(subnet)
    .map(prefixOf)
    .find((prefix) => prefix?.bits === bits);

/** Addresses of a subnet that others hold. */
const usedIn = (world: World, subnetId: string, ownId: string): Set<string> => {
  const used = new Set<string>();
  for (const { holder, from } of referencesTo(world.state, subnetId)) {
    if (holder === keyOf(ownId)) continue;
    const address = textAt(located(world, from), "properties", "privateIPAddress");
    if (address !== "") used.add(address);
  }
  return used;
};

const subnetIdOf = (configuration: JsonObject): string => textAt(configuration, "properties", "subnet", "id");

/** Gives each configuration without an address one: its former one, else the first free one of its subnet. */
export const allocateAddresses = (draft: Draft, collection: string): void => {
  const { world, body, existing, id } = draft;
  const taken = new Map<string, Set<string>>();
  for (const configuration of listAt(body, "properties", collection)) {
    const subnetId = subnetIdOf(configuration);
    const subnet = subnetId === "" ? undefined : located(world, subnetId);
    const prefix = subnet === undefined ? undefined : prefixFor(subnet, wantedBits(configuration));
    if (prefix === undefined) continue;
    const used = taken.get(keyOf(subnetId)) ?? usedIn(world, subnetId, id);
    taken.set(keyOf(subnetId), used);
    const properties = propertiesOf(configuration);
    const before = listAt(existing?.body, "properties", collection).find(
      (item) => textAt(item, "name") === textAt(configuration, "name") && subnetIdOf(item) === subnetId,
    );
    const address =
      textAt(properties, "privateIPAddress") ||
      textAt(before, "properties", "privateIPAddress") ||
      firstFree(prefix, used);
    if (address === undefined) continue;
    used.add(address);
    properties["privateIPAddress"] = address;
  }
};

const refuseAddress = (code: string, message: string): Answer => refuse(400, code, message, { details: [] });

const checkOne = (draft: Draft, configuration: JsonObject): Answer | undefined => {
  const { world, id } = draft;
  const subnetId = subnetIdOf(configuration);
  const subnet = subnetId === "" ? undefined : located(world, subnetId);
  if (subnet === undefined) return undefined;
  const text = textAt(configuration, "properties", "privateIPAddress");
  const prefix = prefixFor(subnet, wantedBits(configuration));
  if (text === "" && prefix !== undefined)
    return refuseAddress(
      "SubnetIsFull",
      `Subnet ${nameOf(subnetId)} with address prefix ${prefix.text} does not have enough capacity for 1 IP addresses.`,
    );
  const address = addressOf(text);
  if (address === undefined || prefix === undefined) return undefined;
  const where = textAt(configuration, "id");
  if (address.bits !== prefix.bits || address.value < prefix.first || address.value > prefix.last)
    return refuseAddress(
      "PrivateIPAddressNotInSubnet",
      `Private static IP address ${text} does not belong to the range of subnet prefix ${prefix.text}.`,
    );
  if (isReserved(address.value, prefix))
    return refuseAddress(
      "PrivateIPAddressInReservedRange",
      `Private static IP address ${text} falls within reserved IP range of subnet prefix ${prefix.text}.`,
    );
  return usedIn(world, subnetId, id).has(text)
    ? refuseAddress(
        "PrivateIPAddressIsAllocated",
        `IP configuration ${where} is using the private IP address ${text} which is already allocated to resource ${subnetId}.`,
      )
    : undefined;
};

/** Refuses addresses outside of their subnet, reserved ones, used ones, and full subnets. */
export const checkAddresses = (draft: Draft, collection: string): Answer | undefined => {
  for (const configuration of listAt(draft.body, "properties", collection)) {
    const refusal = checkOne(draft, configuration);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

/** Refuses a public address that another resource holds already. */
export const publicIpsFree = (draft: Draft, publicIpIds: readonly string[]): Answer | undefined => {
  for (const publicIp of publicIpIds) {
    const other = referencesTo(draft.world.state, publicIp).find(({ holder }) => holder !== keyOf(draft.id));
    if (other !== undefined)
      return refuse(
        400,
        "PublicIPAddressInUse",
        `Resource ${draft.id} is referencing public IP address ${publicIp} that is already allocated to resource ${other.from}.`,
        { details: [] },
      );
  }
  return undefined;
};

/** Ids of the public addresses of a list of configurations. */
export const publicIpIds = (body: JsonObject, collection: string): readonly string[] =>
  listAt(body, "properties", collection)
    .map((configuration) => textAt(objectAt(configuration, "properties"), "publicIPAddress", "id"))
    .filter((id) => id !== "");
