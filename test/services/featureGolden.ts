import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Desired, JsonObject, KubeObject } from "../../src/core/types.ts";
import { anAzureCluster, inputOf, type TurnInput, zonesOf } from "../kinds/aCluster.ts";
import { patched } from "../support/admission/admissionServer.ts";

/** What one feature of an AzureCluster asks of Azure: written from the fact sheet before the code ran. */
export interface FeatureGolden {
  readonly file: string;
  /** The row of the fact sheet's table (section 11), or the mode or example of it. */
  readonly feature: string;
  /** Where the expectation was taken from. */
  readonly source: string;
  /** Merge patch over the spec of the minimal cluster. */
  readonly spec: JsonObject;
  /** Spec of the Cluster. */
  readonly cluster?: JsonObject;
  /** Zones of the region; three of eastus by default. */
  readonly zones?: { readonly location: string; readonly zones: readonly string[] };
  /** Ids and bodies, and what in them is our own choice. */
  readonly desired: readonly Pick<Desired, "id" | "body" | "defaults">[];
  /** All ids, when the case is about which there are. */
  readonly wanted?: readonly string[];
  /** Ids that must not be wanted. */
  readonly unwanted?: readonly string[];
  /** What is in Azure beforehand, and the ids that no request may change then. */
  readonly existing?: readonly JsonObject[];
  readonly untouched?: readonly string[];
  readonly endpoint?: { readonly host: string; readonly port: number };
  /** Zones by name, and whether control-plane machines may live there. */
  readonly failureDomains?: Readonly<Record<string, boolean>>;
  readonly target?: { readonly subscription: string; readonly cloud: string };
}

const folder = join(import.meta.dirname, "..", "golden", "clusters");

export const featureGoldens: readonly FeatureGolden[] = readdirSync(folder)
  .toSorted()
  .map((file) => ({ ...(JSON.parse(readFileSync(join(folder, file), "utf8")) as Omit<FeatureGolden, "file">), file }));

export const objectOf = ({ spec }: FeatureGolden): KubeObject => {
  const minimal = anAzureCluster();
  return { ...minimal, spec: patched(minimal.spec, spec) };
};

export const turnInputOf = (golden: FeatureGolden): TurnInput =>
  inputOf(objectOf(golden), {
    ...(golden.cluster !== undefined && { clusterSpec: golden.cluster }),
    ...(golden.zones !== undefined && { facts: [zonesOf(golden.zones.location, ...golden.zones.zones)] }),
  });
