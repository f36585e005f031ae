import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { idKey } from "../../src/core/ids.ts";
import type { Json, JsonObject, KubeObject } from "../../src/core/types.ts";
import { azureCluster } from "../../src/kinds/azureCluster.ts";
import { apiVersions } from "../../src/wire/generated/apiVersions.ts";
import { armFindings } from "../support/armValidate.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";
import { desiredOf, inputAmong, readRecording, readTemplate, recordingDir } from "./manifest.ts";
import { type SentRequest, sentForRecording } from "./sentForRecording.ts";

const recordings = [
  "default",
  "private",
  "ipv6",
  "multi-frontend",
  "azure-bastion",
  "byo-vnet",
  "vnet-peering",
  "data-disks",
  "machinepool",
  "spot",
  "windows",
];
const templates = [
  "cluster-template.yaml",
  "cluster-template-apiserver-ilb.yaml",
  "cluster-template-azure-cni-v1.yaml",
  "cluster-template-ipv6.yaml",
  "cluster-template-machinepool.yaml",
  "cluster-template-nvidia-gpu.yaml",
  "cluster-template-private.yaml",
  "cluster-template-windows.yaml",
];

const clusterAmong = (objects: readonly KubeObject[]): KubeObject => {
  const found = objects.find(({ kind }) => kind === "AzureCluster");
  if (found === undefined) throw new Error("no AzureCluster in the file");
  return found;
};

const desiredIn = (objects: readonly KubeObject[]) => desiredOf(inputAmong(objects, clusterAmong(objects)));

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
}
const types: ReadonlySet<string> = new Set(azureCluster.services.map(({ type }) => type.toLowerCase()));
const typeOf = (path: string): string => {
  const [, provider] = path.toLowerCase().split("/providers/");
  if (provider === undefined) return "microsoft.resources/resourcegroups";
  const [name, ...rest] = provider.split("/");
  return [name, ...rest.filter((_, index) => index % 2 === 0)].join("/");
};
const recordedIn = (recording: string): readonly Recorded[] =>
  (JSON.parse(readFileSync(join(recordingDir(recording), "requests.json"), "utf8")) as readonly Recorded[]).filter(
    ({ method, path }) => method === "PUT" && types.has(typeOf(path)),
  );

/** Where later releases differ from the recorded one, and why. */
const explained: readonly { readonly at: RegExp; readonly why: string }[] = [
  { at: /probes/, why: "the API server's probe became HTTPS on /readyz in later releases" },
  { at: /\.probe\.id$/, why: "likewise: the probe's name changed with it" },
];

const knownFile = join(import.meta.dirname, "..", "golden", "known.json");
const knownIn = (file: string) =>
  JSON.parse(readFileSync(file, "utf8")) as readonly {
    readonly at: string;
    readonly why: string;
    /** The only recordings for which it holds. */
    readonly recordings?: readonly string[];
  }[];
const knownFor = (recording: string) =>
  knownIn(knownFile).filter(({ recordings: only }) => only === undefined || only.includes(recording));
const tool = join(sharedDir, "tools", "golden-compare");
const clusterTypes = `^(resourcegroups|${[...types].map((type) => type.replace(".", "\\.")).join("|")})$`;

/** What the shared tool says of what we send, and whether it is content. */
const compared = (recording: string, requests: readonly SentRequest[]) => {
  const folder = mkdtempSync(join(tmpdir(), "golden-"));
  try {
    const file = join(folder, "requests.ndjson");
    writeFileSync(file, requests.map((request) => JSON.stringify(request)).join("\n"));
    const known = join(folder, "known.json");
    writeFileSync(known, JSON.stringify(knownFor(recording)));
    const script = join(tool, "golden-compare.mjs");
    const args = [script, file, recordingDir(recording), "--only", clusterTypes, "--known", known];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
    return { lines: stdout.trim().split("\n"), status };
  } finally {
    rmSync(folder, { recursive: true });
  }
};
const wantedFor = (recording: string): readonly SentRequest[] =>
  desiredIn(readRecording(recording, "manifest.yaml")).map(({ id, body }) => ({ method: "PUT", path: id, body }));

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isEmpty));
const keyOf = (item: Json): Json | undefined =>
  typeof item === "object" && item !== null && !Array.isArray(item)
    ? ((item as JsonObject)["name"] ?? (item as JsonObject)["id"])
    : item;

/** Every recorded leaf that we do not want in the same way. */
const differences = (path: string, want: Json, have: Json | undefined): readonly string[] => {
  if (isEmpty(want) && isEmpty(have)) return [];
  if (Array.isArray(want)) {
    const list: readonly Json[] = Array.isArray(have) ? have : [];
    return (want as readonly Json[]).flatMap((item) =>
      differences(
        `${path}[${JSON.stringify(keyOf(item))}]`,
        item,
        list.find((other) => keyOf(other) === keyOf(item)),
      ),
    );
  }
  if (typeof want === "object" && want !== null) {
    const object = (have ?? {}) as JsonObject;
    return Object.entries(want).flatMap(([name, value]) => differences(`${path}.${name}`, value, object[name]));
  }
  const same = typeof want === "string" && typeof have === "string" ? idKey(want) === idKey(have) : want === have;
  return same ? [] : [`${path}: ${JSON.stringify(have)}, recorded ${JSON.stringify(want)}`];
};

const unexplained = (recording: string): readonly string[] => {
  const ours = new Map(desiredIn(readRecording(recording, "manifest.yaml")).map(({ id, body }) => [idKey(id), body]));
  return recordedIn(recording)
    .flatMap(({ path, body }) => {
      const have = ours.get(idKey(path));
      return have === undefined
        ? [`${path}: not wanted`]
        : differences(path.split("/").slice(-2).join("/"), body, have);
    })
    .filter((line) => !explained.some(({ at }) => at.test(line.split(":")[0] ?? "")));
};

describeWithShared("what we want of Azure, against recordings, by the shared tool", () => {
  it.each(recordings.filter((it) => it !== "byo-vnet"))("%s: differs only where it is known to", (recording) => {
    const { lines, status } = compared(recording, wantedFor(recording));
    expect(lines).toEqual([expect.stringMatching(/^[1-9]\d* recorded resources compared, 0 differences$/)]);
    expect(status).toBe(0);
  });
  it("byo-vnet: differs only where it is known to, beside the network that was there", async () => {
    const { lines } = compared("byo-vnet", await sentForRecording("byo-vnet"));
    expect(lines).toEqual([expect.stringMatching(/^[1-9]\d* recorded resources compared, 0 differences$/)]);
  });
  it("knows all that the tool knows, each with its reason", () => {
    const known = knownIn(knownFile);
    expect(known).toEqual(expect.arrayContaining([...knownIn(join(tool, "known.json"))]));
    expect(known.filter(({ why }) => why.length < 20)).toEqual([]);
  });
  it("finds what is missing, and what is too much", () => {
    const [first, second, ...others] = wantedFor("default");
    const strange = { ...second!, path: `${second!.path}-strange` };
    const { lines, status } = compared("default", [first!, strange, ...others]);
    expect(lines).toHaveLength(3);
    expect(status).toBe(1);
  });
});

describeWithShared("what we want of Azure, against recordings", () => {
  it.each(recordings)("%s: every recorded leaf is wanted, but for explained ones", (recording) =>
    expect(unexplained(recording)).toEqual([]),
  );

  it.each(["default", "private", "ipv6", "multi-frontend"])(
    "%s: nothing is wanted that was not recorded",
    (recording) => {
      const recorded = new Set(recordedIn(recording).map(({ path }) => idKey(path)));
      const ours = desiredIn(readRecording(recording, "manifest.yaml")).map(({ id }) => id);
      expect(ours.filter((id) => !recorded.has(idKey(id)))).toEqual([]);
    },
  );

  // Upstream stored the ranges that it observed in the foreign network; we do not know them beforehand.
  it.each(recordings.filter((it) => it !== "byo-vnet"))(
    "%s: what upstream stored after defaulting means the same resources",
    (recording) => {
      const manifest = desiredIn(readRecording(recording, "manifest.yaml"));
      const objects = readRecording(recording, "status.yaml");
      const stored = desiredOf(
        inputAmong([...readRecording(recording, "manifest.yaml"), ...objects], clusterAmong(objects)),
      );
      expect(stored.map(({ id }) => id)).toEqual(manifest.map(({ id }) => id));
      const bodies = new Map(manifest.map(({ id, body }) => [id, body]));
      expect(stored.map(({ id, body }) => ({ id, body }))).toEqual(
        stored.map(({ id }) => ({ id, body: bodies.get(id) })),
      );
    },
  );

  it.each(recordings)("%s: Azure's published schemas allow every body", async (recording) => {
    const requests = desiredIn(readRecording(recording, "manifest.yaml")).map(({ id, type, body }) => ({
      method: "PUT",
      path: id,
      apiVersion: (apiVersions as Readonly<Record<string, string>>)[type] ?? "",
      body,
    }));
    expect(await armFindings(requests)).toEqual([]);
  });

  it.each(templates)("%s: works unchanged", async (template) => {
    const requests = desiredIn(readTemplate(template)).map(({ id, type, body }) => ({
      method: "PUT",
      path: id,
      apiVersion: (apiVersions as Readonly<Record<string, string>>)[type] ?? "",
      body,
    }));
    expect(requests.length).toBeGreaterThan(8);
    expect(await armFindings(requests)).toEqual([]);
  });
});
