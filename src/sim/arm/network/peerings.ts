import type { Resource, World } from "../armState.ts";
import { nextGuid } from "../armState.ts";
import { clone, type JsonObject, listAt, propertiesOf, same, textAt, textsAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { keyOf } from "../resourceTarget.ts";
import { find, referencesTo, save } from "../store.ts";
import type { Draft } from "../typeRules.ts";
import { overlaps, prefixOf } from "./addresses.ts";

const peeringsOf = (body: JsonObject | undefined): readonly JsonObject[] =>
  listAt(body, "properties", "virtualNetworkPeerings");

const remoteIdOf = (peering: JsonObject): string => textAt(peering, "properties", "remoteVirtualNetwork", "id");

const spaceOf = (body: JsonObject | undefined): readonly string[] =>
  textsAt(body, "properties", "addressSpace", "addressPrefixes");

/** The peering of a remote network that points back. */
const reverseOf = (world: World, remoteId: string, localId: string): JsonObject | undefined =>
  peeringsOf(find(world.state, remoteId)?.body).find((peering) => keyOf(remoteIdOf(peering)) === keyOf(localId));

const overlapping = (local: readonly string[], remote: readonly string[]): readonly string[] =>
  local.filter((text) => {
    const prefix = prefixOf(text);
    return remote.some((other) => {
      const there = prefixOf(other);
      return prefix !== undefined && there !== undefined && overlaps(prefix, there);
    });
  });

const checkOne = (draft: Draft, peering: JsonObject): Answer | undefined => {
  const { world, id, body } = draft;
  const remoteId = remoteIdOf(peering);
  const before = peeringsOf(draft.existing?.body).find((item) => item["name"] === peering["name"]);
  if (before !== undefined && draft.touched !== textAt(before, "id")) return undefined;
  const peeringId = textAt(peering, "id");
  const clash = overlapping(spaceOf(body), spaceOf(find(world.state, remoteId)?.body));
  if (clash.length > 0)
    return refuse(
      400,
      "VnetAddressSpacesOverlap",
      `Cannot create or update peering ${peeringId}. Virtual networks ${id} and ${remoteId} cannot be peered because their address spaces overlap. Overlapping address prefixes: ${clash.join(", ")}`,
      { details: [] },
    );
  const reverse = reverseOf(world, remoteId, id);
  if (textAt(reverse, "properties", "peeringState") === "Disconnected")
    return refuse(
      400,
      "RemotePeeringIsDisconnected",
      `Cannot create or update peering ${peeringId} because remote peering ${textAt(reverse, "id")} referencing parent virtual network ${id} is in Disconnected state. Update or re-create the remote peering to get it back to Initiated state. Peering gets Disconnected when remote vnet or remote peering is deleted and re-created.`,
      { details: [] },
    );
  return undefined;
};

/** Refuses peerings of overlapping networks, and ones whose other side is disconnected. */
export const checkPeerings = (draft: Draft): Answer | undefined => {
  for (const peering of peeringsOf(draft.body)) {
    const refusal = checkOne(draft, peering);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

/** Fields of a peering that Azure owns: carried over; a peering that is written anew starts as Initiated. */
export const readyPeerings = (draft: Draft): void => {
  const { world, body, existing, touched } = draft;
  for (const peering of peeringsOf(body)) {
    const before = peeringsOf(existing?.body).find((item) => item["name"] === peering["name"]);
    const properties = propertiesOf(peering);
    for (const name of [
      "peeringState",
      "peeringSyncLevel",
      "resourceGuid",
      "remoteAddressSpace",
      "remoteVirtualNetworkAddressSpace",
    ]) {
      const value = propertiesOf(clone(before ?? {}))[name];
      if (value === undefined) delete properties[name];
      else properties[name] = value;
    }
    properties["resourceGuid"] ??= nextGuid(world.state);
    if (
      touched !== undefined &&
      touched === textAt(before, "id") &&
      draft.query.get("syncRemoteAddressSpace") === "true"
    ) {
      properties["remoteAddressSpace"] = {
        addressPrefixes: [...spaceOf(find(world.state, remoteIdOf(peering))?.body)],
      };
      properties["peeringSyncLevel"] = "FullyInSync";
    }
    if (before === undefined || (touched === textAt(before, "id") && properties["peeringState"] === "Disconnected")) {
      properties["peeringState"] = "Initiated";
      properties["peeringSyncLevel"] = "RemoteNotInSync";
      properties["remoteAddressSpace"] = {
        addressPrefixes: [...spaceOf(find(world.state, remoteIdOf(peering))?.body)],
      };
    }
  }
};

const connect = (peering: JsonObject, space: readonly string[]): void => {
  const properties = propertiesOf(peering);
  const known = textsAt(properties, "remoteAddressSpace", "addressPrefixes");
  const connected = properties["peeringState"] === "Connected";
  properties["peeringState"] = "Connected";
  if (!connected || known.length === 0) {
    properties["remoteAddressSpace"] = { addressPrefixes: [...space] };
    properties["peeringSyncLevel"] = "FullyInSync";
  } else if (!same([...known], [...space])) properties["peeringSyncLevel"] = "LocalNotInSync";
  properties["remoteVirtualNetworkAddressSpace"] = { addressPrefixes: [...space] };
};

/** Both sides there: Connected. One side only: Initiated, or Disconnected when they were connected before. */
const judge = (world: World, network: Resource, peering: JsonObject): void => {
  const remoteId = remoteIdOf(peering);
  const properties = propertiesOf(peering);
  const reverse = reverseOf(world, remoteId, network.id);
  if (reverse === undefined) {
    if (properties["peeringState"] === "Connected") properties["peeringState"] = "Disconnected";
  } else if (
    properties["peeringState"] !== "Disconnected" &&
    textAt(reverse, "properties", "peeringState") !== "Disconnected"
  )
    connect(peering, spaceOf(find(world.state, remoteId)?.body));
};

/** Brings the peerings of a network, and those that point at it, to their state. */
export const settlePeerings = (world: World, network: Resource): void => {
  for (const peering of peeringsOf(network.body)) judge(world, network, peering);
  disconnectPeers(world, network);
};

/** Judges again the peerings of other networks that point at this one. */
export const disconnectPeers = (world: World, network: Resource): void => {
  for (const holder of new Set(referencesTo(world.state, network.id).map((reference) => reference.holder))) {
    const other = world.state.resources.get(holder);
    if (other === undefined || other === network || !/\/virtualNetworks$/i.test(other.type)) continue;
    for (const peering of peeringsOf(other.body))
      if (keyOf(remoteIdOf(peering)) === network.key) judge(world, other, peering);
    save(world.state, other);
  }
};
