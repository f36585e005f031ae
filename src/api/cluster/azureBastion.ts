import { Type } from "typebox";
import { flag, oneOf, ruled } from "../schema.ts";
import { networkName } from "./azureNames.ts";
import { publicIpSpec, subnetSpec } from "./network.ts";

/** The bastion host of a cluster. */
export const azureBastion = ruled(
  Type.Object(
    {
      name: Type.Optional(networkName("Name in Azure.")),
      subnet: Type.Optional({
        ...subnetSpec,
        description:
          "Its subnet, AzureBastionSubnet. The default range is 10.255.255.224/27, as ever; Azure asks for 64 addresses (/26) or more for hosts made since November 2021.",
      }),
      publicIP: Type.Optional(publicIpSpec),
      sku: Type.Optional(oneOf("Size of the host.", ["Basic", "Standard"], { default: "Basic" })),
      enableTunneling: Type.Optional(flag("Whether native clients may connect; needs `Standard`.", { default: false })),
    },
    { description: "Azure Bastion; its presence, even empty, asks for one." },
  ),
  {
    rule: "!has(self.enableTunneling) || !self.enableTunneling || has(self.sku) && self.sku == 'Standard'",
    message: "must be Standard for enableTunneling",
    fieldPath: ".sku",
  },
);
