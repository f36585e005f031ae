import { Type } from "typebox";
import { valueOr } from "../cel/parts.ts";
import { flag, type Parsed, ruled, text } from "../schema.ts";

const named = (description: string) => text(description, { minLength: 1 });

const purchasePlan = Type.Object(
  {
    publisher: named("Publisher of the plan."),
    offer: named("Product that the plan belongs to."),
    sku: named("Name of the plan."),
  },
  { description: "Plan under which a paid image runs; its terms must have been accepted in the subscription." },
);

const marketplaceImage = Type.Object(
  {
    publisher: named("Publisher of the image."),
    offer: named("Offer of the publisher."),
    sku: named("SKU of the offer."),
    version: named("Version, or `latest`."),
    thirdPartyImage: Type.Optional(
      flag("Whether the image is sold under a plan of the same names.", { default: false }),
    ),
  },
  { description: "An image of the Azure Marketplace." },
);

const sharedGalleryImage = Type.Object(
  {
    subscriptionID: named("Subscription of the gallery."),
    resourceGroup: named("Resource group of the gallery."),
    gallery: named("Name of the gallery."),
    name: named("Name of the image definition."),
    version: named("Version of the image."),
    publisher: Type.Optional(text("Publisher of the plan; a plan needs all three of its parts.")),
    offer: Type.Optional(text("Product of the plan.")),
    sku: Type.Optional(text("Name of the plan.")),
  },
  { description: "An image of a gallery; deprecated in favour of `computeGallery`." },
);

const computeGalleryImage = ruled(
  Type.Object(
    {
      gallery: named("Name of the gallery, or the public name of a community gallery."),
      name: named("Name of the image definition."),
      version: named("Version of the image, or `latest`."),
      subscriptionID: Type.Optional(
        text("Subscription of the gallery; without it the gallery is a community gallery."),
      ),
      resourceGroup: Type.Optional(text("Resource group of the gallery; given together with the subscription.")),
      plan: Type.Optional(purchasePlan),
    },
    { description: "An image of a compute gallery: one's own, or a community gallery." },
  ),
  {
    rule: `(${valueOr("subscriptionID", "''")("self")} == '') == (${valueOr("resourceGroup", "''")("self")} == '')`,
    message: "must have both subscriptionID and resourceGroup, or neither for a community gallery",
  },
);

/** Where the operating system comes from: exactly one of its fields. */
export const imageSpec = ruled(
  Type.Object(
    {
      id: Type.Optional(text("Resource id of an image.")),
      marketplace: Type.Optional(marketplaceImage),
      sharedGallery: Type.Optional(sharedGalleryImage),
      computeGallery: Type.Optional(computeGalleryImage),
    },
    {
      description:
        "Where the operating system comes from, in one of four ways; chosen by Kubernetes version when absent.",
    },
  ),
  {
    rule: `[${valueOr("id", "''")("self")} != '', has(self.marketplace), has(self.sharedGallery), has(self.computeGallery)].filter(given, given).size() == 1`,
    message: "must have exactly one of id, marketplace, sharedGallery and computeGallery",
  },
);
export type ImageSpec = Parsed<typeof imageSpec>;
