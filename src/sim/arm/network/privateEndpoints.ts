import type { Resource, World } from "../armState.ts";
import { nextGuid } from "../armState.ts";
import { fill, fills } from "../fieldRules.ts";
import { type JsonObject, listAt, propertiesOf, textAt } from "../json.ts";
import { newResource } from "../resource.ts";
import { groupIdOf, nameOf } from "../resourceTarget.ts";
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
  check: (draft) => checkAddresses({ ...draft, body: withSubnet(draft.body) }, "ipConfigurations"),
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
