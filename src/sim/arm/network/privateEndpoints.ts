import type { Resource, World } from "../armState.ts";
import { nextGuid } from "../armState.ts";
import { fill, fills } from "../fieldRules.ts";
import { type JsonObject, listAt, propertiesOf, same, textAt, textsAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { newResource } from "../resource.ts";
import { groupIdOf, keyOf, nameOf } from "../resourceTarget.ts";
import { drop, find, save } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { allocateAddresses, checkAddresses } from "./ipConfigurations.ts";

const configurationName = "privateEndpointIpConfig";
const connections = ["privateLinkServiceConnections", "manualPrivateLinkServiceConnections"] as const;

const nicIdOf = (resource: { readonly id: string }, body: JsonObject): string => {
  const custom = textAt(body, "properties", "customNetworkInterfaceName");
  return `${groupIdOf(resource.id) ?? ""}/providers/Microsoft.Network/networkInterfaces/${custom || `${nameOf(resource.id)}.nic`}`;
};

const compute = (draft: Draft): void => {
  for (const collection of connections)
    for (const connection of listAt(draft.body, "properties", collection)) {
      const before = listAt(draft.existing?.body, "properties", collection).find(
        (item) => item["name"] === connection["name"],
      );
      const state = propertiesOf(before ?? {})["privateLinkServiceConnectionState"];
      propertiesOf(connection)["privateLinkServiceConnectionState"] = state ?? {
        status: collection === "privateLinkServiceConnections" ? "Approved" : "Pending",
        description: collection === "privateLinkServiceConnections" ? "Auto-Approved" : "Awaiting Approval",
        actionsRequired: "None",
      };
    }
};

/** What of its connections an endpoint keeps for life. */
const fixedPart = (body: JsonObject): JsonObject[] =>
  connections.flatMap((collection) =>
    listAt(body, "properties", collection).map((connection) => ({
      collection,
      name: textAt(connection, "name"),
      target: keyOf(textAt(connection, "properties", "privateLinkServiceId")),
      groups: textsAt(connection, "properties", "groupIds").toSorted(),
    })),
  );

const checkConnections = ({ existing, body, id }: Draft): Answer | undefined => {
  if (existing === undefined || same(fixedPart(existing.body), fixedPart(body))) return undefined;
  const [first] = connections.flatMap((collection) => listAt(existing.body, "properties", collection));
  return refuse(
    400,
    "CannotChangePrivateLinkConnectionOnPrivateEndpoint",
    `Cannot change the private link connection on private endpoint ${id}. Please ensure you are not updating the details of existing private link connection: '${textAt(first, "id")}'. That is not allowed.`,
    { details: [] },
  );
};

const describe = (address: string, group: string, member: string): string =>
  `PrivateIPAddress: ${address}, GroupId: ${group}, MemberName: ${member}`;

/** A service of Azure's own wants to know for which of its members a fixed address is; here each has one. */
const checkMembers = ({ body, id }: Draft): Answer | undefined => {
  const fixed = listAt(body, "properties", "ipConfigurations");
  const groups = connections
    .flatMap((collection) => listAt(body, "properties", collection))
    .filter((it) => !/\/privateLinkServices\//i.test(textAt(it, "properties", "privateLinkServiceId")))
    .flatMap((it) => textsAt(it, "properties", "groupIds"));
  const named = fixed.filter((it) => textAt(it, "properties", "memberName") !== "");
  const missing = groups.filter((group) => !named.some((it) => textAt(it, "properties", "groupId") === group));
  if (fixed.length === 0 || missing.length === 0) return undefined;
  const [given] = fixed.map((it) =>
    describe(
      textAt(it, "properties", "privateIPAddress"),
      textAt(it, "properties", "groupId"),
      textAt(it, "properties", "memberName"),
    ),
  );
  return refuse(
    400,
    "PrivateEndpointIpConfigurationMissingMemberNamesRequiredByFps",
    `Private Endpoint ${id} contains static ipconfigurations: [${given}] and its missing these membernames/groupids requested by Private Link service [GroupId: ${missing[0]}, MemberName: ${missing[0]}]. Private Endpoint needs to be reconfigured with missing memberNames.`,
    { details: [] },
  );
};

/** Once the owner of the target has let go of it, an endpoint can only be deleted. */
const checkConnected = ({ existing, id }: Draft): Answer | undefined =>
  connections
    .flatMap((collection) => listAt(existing?.body, "properties", collection))
    .some((it) => textAt(it, "properties", "privateLinkServiceConnectionState", "status") === "Disconnected")
    ? refuse(
        400,
        "PrivateEndpointCannotBeUpdatedInDisconnectedState",
        `Call to Microsoft.Network/privateEndpoints failed. Private endpoint ${id} cannot be updated in disconnected state.`,
        { details: [] },
      )
    : undefined;

/** Azure makes the network interface of a private endpoint; it belongs to the endpoint. */
const provisioned = (world: World, resource: Resource): void => {
  const id = nicIdOf(resource, resource.body);
  propertiesOf(resource.body)["networkInterfaces"] = [{ id }];
  if (find(world.state, id) !== undefined) return;
  const wanted = listAt(resource.body, "properties", "ipConfigurations")[0];
  const address = textAt(wanted, "properties", "privateIPAddress");
  const nic = newResource(
    world,
    id,
    "Microsoft.Network/networkInterfaces",
    interfaceBody(world, resource, id, address),
    `W/"${nextGuid(world.state)}"`,
  );
  const { body, type } = nic;
  const none = { existing: undefined, secrets: {}, query: new URLSearchParams(), touched: undefined };
  allocateAddresses({ world, rules: privateEndpoints, id, type, sent: body, body, ...none }, "ipConfigurations");
  save(world.state, nic);
};

const interfaceBody = (world: World, resource: Resource, id: string, address: string): JsonObject => ({
  location: resource.body["location"] ?? "",
  etag: "",
  properties: {
    provisioningState: "Succeeded",
    resourceGuid: nextGuid(world.state),
    ipConfigurations: [
      {
        name: configurationName,
        id: `${id}/ipConfigurations/${configurationName}`,
        type: "Microsoft.Network/networkInterfaces/ipConfigurations",
        properties: {
          provisioningState: "Succeeded",
          primary: true,
          subnet: { id: textAt(resource.body, "properties", "subnet", "id") },
          ...(address === "" ? {} : { privateIPAddress: address }),
        },
      },
    ],
  },
});

/** Private endpoints. */
export const privateEndpoints: TypeRules = {
  type: "Microsoft.Network/privateEndpoints",
  etag: "weak",
  patch: "tags",
  owned: ["networkInterfaces"],
  put: { retryAfterSeconds: 10, tagsAtOnce: true },
  children: [
    { collection: "privateLinkServiceConnections", writable: false, always: true },
    { collection: "manualPrivateLinkServiceConnections", writable: false, always: true },
  ],
  fields: [
    ...fills("properties", { customDnsConfigs: [], ipConfigurations: [], customNetworkInterfaceName: "" }),
    fill("properties.ipVersionType", "IPv4"),
  ],
  compute,
  check: (draft) =>
    firstRefusal(
      () => checkConnected(draft),
      () => checkConnections(draft),
      () => checkMembers(draft),
      () => checkAddresses({ ...draft, body: withSubnet(draft.body) }, "ipConfigurations"),
    ),
  provisioned,
  removed: (world, resource) => {
    const nic = find(world.state, nicIdOf(resource, resource.body));
    if (nic !== undefined) drop(world, nic);
  },
};

/** The configurations of an endpoint name an address, the endpoint names the subnet. */
const withSubnet = (body: JsonObject): JsonObject => ({
  id: body["id"] ?? "",
  properties: {
    ipConfigurations: listAt(body, "properties", "ipConfigurations")
      .filter((item) => textAt(item, "properties", "privateIPAddress") !== "")
      .map((item) => ({
        ...item,
        properties: { ...propertiesOf(item), subnet: { id: textAt(body, "properties", "subnet", "id") } },
      })),
  },
});
