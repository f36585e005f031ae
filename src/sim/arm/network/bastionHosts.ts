import { fill, fills } from "../fieldRules.ts";
import { listAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { nameOf } from "../resourceTarget.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { publicIpIds, publicIpsFree } from "./ipConfigurations.ts";

const checkSubnet = (draft: Draft): Answer | undefined => {
  for (const configuration of listAt(draft.body, "properties", "ipConfigurations")) {
    const subnet = textAt(configuration, "properties", "subnet", "id");
    if (subnet !== "" && !sameText(nameOf(subnet), "AzureBastionSubnet"))
      return refuse(
        400,
        "InvalidParameter",
        `Bastion host ${draft.id} must be in a subnet named AzureBastionSubnet, not ${nameOf(subnet)}.`,
        { details: [] },
      );
  }
  return undefined;
};

/** Bastion hosts. */
export const bastionHosts: TypeRules = {
  type: "Microsoft.Network/bastionHosts",
  etag: "weak",
  patch: "tags",
  put: { retryAfterSeconds: 10 },
  children: [{ collection: "ipConfigurations", segment: "bastionHostIpConfigurations", writable: false, always: true }],
  fields: [
    fill("sku", { name: "Basic" }),
    ...fills("properties", {
      scaleUnits: 2,
      enableTunneling: false,
      enableIpConnect: false,
      disableCopyPaste: false,
      enableShareableLink: false,
      enableKerberos: false,
      enableSessionRecording: false,
    }),
    fill("properties.ipConfigurations[].properties.privateIPAllocationMethod", "Dynamic"),
  ],
  owned: ["dnsName"],
  provisioned: (_world, resource) => {
    propertiesOf(resource.body)["dnsName"] ??= `bst-${nameOf(resource.id).toLowerCase()}.bastion.azure.com`;
  },
  check: (draft) =>
    firstRefusal(
      () => checkSubnet(draft),
      () => publicIpsFree(draft, publicIpIds(draft.body, "ipConfigurations")),
    ),
};
