import { describe, expect, it } from "vitest";
import { defaultImage, type ImageQuestion } from "../../../src/kinds/machine/defaultImage.ts";

const gallery = "ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019";
const answer = (question: Partial<ImageQuestion>) =>
  defaultImage({ osType: "Linux", kubernetesVersion: "v1.31.2", ...question });
const inGallery = (name: string, version: string) => ({ computeGallery: { gallery, name, version } });
const inMarketplace = (offer: string, sku: string, version: string) => ({
  marketplace: { publisher: "cncf-upstream", offer, sku, version },
});

// Fact sheet, machines, 1.12.
describe("the image of a machine without one", () => {
  it.each<{ readonly of: Partial<ImageQuestion>; readonly is: object }>([
    { of: {}, is: inGallery("capi-ubun2-2404", "1.31.2") },
    { of: { kubernetesVersion: "1.31.2" }, is: inGallery("capi-ubun2-2404", "1.31.2") },
    { of: { kubernetesVersion: "v1.32" }, is: inGallery("capi-ubun2-2404", "1.32.0") },
    { of: { kubernetesVersion: "v1.33.0-rc.1+b" }, is: inGallery("capi-ubun2-2404", "1.33.0-rc.1+b") },
    { of: { kubernetesVersion: "v1.28.12" }, is: inMarketplace("capi", "ubuntu-2204-gen1", "128.12.20240717") },
    { of: { kubernetesVersion: "v1.28.13" }, is: inGallery("capi-ubun2-2404", "1.28.13") },
    { of: { kubernetesVersion: "v1.28.12-rc.0" }, is: inGallery("capi-ubun2-2404", "1.28.12-rc.0") },
    { of: { kubernetesVersion: "v1.30.4" }, is: inGallery("capi-ubun2-2404", "1.30.4") },
    { of: { osType: "Windows" }, is: inGallery("capi-win-2022-containerd", "1.31.2") },
    {
      of: { osType: "Windows", runtime: "containerd", windowsServerVersion: "windows-2019" },
      is: inGallery("capi-win-2019-containerd", "1.31.2"),
    },
    {
      of: { osType: "Windows", kubernetesVersion: "v1.28.4", windowsServerVersion: "windows-2022" },
      is: inMarketplace("capi-windows", "windows-2019-containerd-gen1", "128.4.20231122"),
    },
    {
      of: { osType: "Linux", windowsServerVersion: "whatever", runtime: "docker" },
      is: inGallery("capi-ubun2-2404", "1.31.2"),
    },
  ])("of $of is $is", ({ of, is }) => expect(answer(of)).toEqual({ ok: true, value: is }));

  it.each<{ readonly of: Partial<ImageQuestion>; readonly about: string }>([
    { of: { kubernetesVersion: "latest" }, about: "kubernetesVersion" },
    { of: { kubernetesVersion: "" }, about: "kubernetesVersion" },
    { of: { osType: "Windows", runtime: "dockershim" }, about: "runtime" },
    { of: { osType: "Windows", windowsServerVersion: "2022" }, about: "windowsServerVersion" },
  ])("is none for a wrong $about", ({ of, about }) =>
    expect(answer(of)).toMatchObject({ ok: false, error: { about, right: expect.stringMatching(/^must be /) } }),
  );
});
