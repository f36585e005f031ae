import type { ImageSpec } from "../../api/machine/image.ts";
import type { Result } from "../../core/types.ts";
import { parseKubernetesVersion } from "./kubernetesVersion.ts";
import { legacyImages } from "./legacyImages.ts";

/** What the image of a machine without one follows from. */
export interface ImageQuestion {
  readonly osType: "Linux" | "Windows";
  /** `Machine.spec.version`, or that of the MachinePool's template. */
  readonly kubernetesVersion: string;
  /** Annotation `runtime` of the machine. */
  readonly runtime?: string;
  /** Annotation `windowsServerVersion` of the machine, such as `windows-2022`. */
  readonly windowsServerVersion?: string;
}

/** What of the question cannot be answered: what stands there, and what would be right. */
export interface NoImage {
  readonly about: "kubernetesVersion" | "runtime" | "windowsServerVersion";
  readonly value: string;
  readonly right: string;
}

/** Public name of the community gallery of Cluster API's images (fact sheet, machines, 0.7). */
const gallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
const legacyNames = {
  Linux: { offer: "capi", sku: "ubuntu-2204-gen1" },
  Windows: { offer: "capi-windows", sku: "windows-2019-containerd-gen1" },
} as const;
const definitions = { Linux: "capi-ubun2-2404", Windows: "capi-win-2022-containerd" } as const;

const no = (
  about: NoImage["about"],
  value: string,
  right: string,
): { readonly ok: false; readonly error: NoImage } => ({
  ok: false,
  error: { about, value, right },
});

/** The image definition of a Windows machine, whose year the user may choose. */
const definitionOf = ({ osType, runtime = "", windowsServerVersion }: ImageQuestion): Result<string, NoImage> => {
  if (osType === "Linux") return { ok: true, value: definitions.Linux };
  if (runtime !== "" && runtime !== "containerd") return no("runtime", runtime, "must be containerd, or absent");
  if (windowsServerVersion === undefined || windowsServerVersion === "")
    return { ok: true, value: definitions.Windows };
  const year = /^windows-(\d{4})$/.exec(windowsServerVersion)?.[1];
  return year === undefined
    ? no("windowsServerVersion", windowsServerVersion, "must be windows- and a year, such as windows-2022")
    : { ok: true, value: definitions.Windows.replace("2022", year) };
};

/**
 * The image of a machine whose spec has none, by the Kubernetes version: what upstream builds. Nothing is looked up; that a
 * version has no image shows when Azure is asked for it.
 */
export const defaultImage = (question: ImageQuestion): Result<ImageSpec, NoImage> => {
  const version = parseKubernetesVersion(question.kubernetesVersion);
  if (version === undefined)
    return no("kubernetesVersion", question.kubernetesVersion, "must be a version, such as v1.31.2");
  const name = definitionOf(question);
  if (!name.ok) return name;
  const legacy = legacyImages[question.osType][version.text];
  return {
    ok: true,
    value:
      legacy === undefined
        ? { computeGallery: { gallery, name: name.value, version: version.text } }
        : { marketplace: { publisher: "cncf-upstream", ...legacyNames[question.osType], version: legacy } },
  };
};
