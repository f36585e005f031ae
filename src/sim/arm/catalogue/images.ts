import type { JsonObject } from "../json.ts";

/** Versions that every offer of every publisher has: Kubernetes releases in the numbering of Cluster API images. */
const marketplace = [
  "130.14.20250610",
  "131.10.20250610",
  "132.6.20250610",
  "133.2.20250710",
  "133.4.20250820",
  "134.1.20250915",
];
const offers = [
  "ubuntu-2204-gen1",
  "ubuntu-2204-gen2",
  "ubuntu-2404-gen1",
  "ubuntu-2404-gen2",
  "windows-2019",
  "windows-2022",
];
const gallery = ["1.32.6", "1.32.9", "1.33.2", "1.33.4", "1.34.0", "1.34.1"];

/** Versions of a marketplace image. */
export const imageVersions = (path: string, location: string): readonly JsonObject[] =>
  marketplace.map((name) => ({ location, name, id: `${path}/${name}` }));

/** SKUs of a marketplace offer. */
export const imageSkus = (path: string, location: string): readonly JsonObject[] =>
  offers.map((name) => ({ location, name, id: `${path}/${name}` }));

/** Versions of an image in a community or shared gallery. */
export const galleryVersions = (galleryName: string, image: string, location: string): readonly JsonObject[] =>
  gallery.map((name) => ({
    name,
    location,
    type: "Microsoft.Compute/Locations/communityGalleries/Images/Versions",
    identifier: { uniqueId: `/CommunityGalleries/${galleryName}/Images/${image}/Versions/${name}` },
    properties: {
      publishedDate: "2026-01-15T00:00:00Z",
      endOfLifeDate: "2030-01-15T00:00:00Z",
      excludeFromLatest: false,
    },
  }));

/** A gallery image itself. */
export const galleryImage = (galleryName: string, image: string, location: string): JsonObject => ({
  name: image,
  location,
  type: "Microsoft.Compute/Locations/communityGalleries/Images",
  identifier: { uniqueId: `/CommunityGalleries/${galleryName}/Images/${image}` },
  properties: {
    osType: /win/i.test(image) ? "Windows" : "Linux",
    osState: "Generalized",
    hyperVGeneration: "V2",
    identifier: { publisher: "cncf", offer: image, sku: image },
  },
});

/** What AKS takes when none is asked for. */
export const defaultKubernetesVersion = "1.33.4";

/** Versions that AKS offers in a region. */
export const kubernetesVersions = (): readonly JsonObject[] =>
  ["1.32", "1.33", "1.34"].map((version, at) => ({
    version,
    isDefault: at === 1,
    isPreview: null,
    capabilities: { supportPlan: ["KubernetesOfficial"] },
    patchVersions: Object.fromEntries(
      gallery
        .filter((patch) => patch.startsWith(`${version}.`))
        .map((patch) => [patch, { upgrades: gallery.filter((other) => other > patch) }]),
    ),
  }));
