import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiVersions } from "../../src/wire/generated/apiVersions.ts";
import type { Json, JsonObject } from "../../src/wire/json.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { isWritable, type WirePath } from "../../src/wire/schema.ts";
import { writable } from "../../src/wire/writable.ts";
import { armFindings } from "../support/armValidate.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject;
}
interface Observed extends JsonObject {
  readonly id: string;
  readonly type: string;
}

const recordings = join(sharedDir, "contract", "recordings");
const readAll = <T>(file: string): readonly T[] =>
  readdirSync(recordings, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => JSON.parse(readFileSync(join(recordings, name, file), "utf8")) as T[]);

const typeOf = (path: string): string => {
  const [namespace, ...rest] = path.split("/providers/").at(-1)!.split("?")[0]!.split("/");
  if (!path.includes("/providers/")) return "Microsoft.Resources/resourceGroups";
  return [namespace, ...rest.filter((_, index) => index % 2 === 0)].join("/");
};

const leaves = (value: Json, path: WirePath = []): readonly WirePath[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, below]) => leaves(below, [...path, key]))
    : [path];

describeWithShared("recorded traffic", () => {
  it("sends nothing that the schemas refuse, but the name of a child, which its URL says", async () => {
    const puts = readAll<Recorded>("requests.json").filter(({ method }) => method === "PUT");
    expect(puts.length).toBeGreaterThan(200);
    const refused = new Set<string>();
    for (const { path, body } of puts) {
      const schema = await loadSchema(typeOf(path));
      for (const leaf of leaves(body))
        if (!isWritable(schema, schema.body, leaf)) refused.add(`${schema.type} ${leaf.join(".")}`);
    }
    expect([...refused].toSorted()).toEqual([
      "Microsoft.Network/loadBalancers/inboundNatRules name",
      "Microsoft.Network/virtualNetworks/virtualNetworkPeerings name",
    ]);
  });
  it("answers with bodies whose writable part can be sent back", async () => {
    const observed = readAll<Observed>("resources.json");
    expect(observed.length).toBeGreaterThan(200);
    const versions = new Map(Object.entries(apiVersions).map(([type, version]) => [type.toLowerCase(), version]));
    const requests = await Promise.all(
      observed.map(async (resource) => {
        const schema = await loadSchema(resource.type);
        const body = writable(schema, schema.body, resource);
        return { method: "PUT", path: resource.id, apiVersion: versions.get(resource.type.toLowerCase())!, body };
      }),
    );
    const found = new Set(
      (await armFindings(requests)).map(({ code, at }) => `${code} ${at.replace(/\[\d+\]/g, "[]")}`),
    );
    // The rest is what the recording's simulated Azure answered, and Azure would not.
    expect([...found].toSorted()).toEqual([
      "missingRequired properties.creationData",
      "nullValue properties.virtualMachineProfile.networkProfile.networkInterfaceConfigurations[].properties.ipConfigurations[].properties.loadBalancerBackendAddressPools",
      "nullValue zones",
      "unknownEnumValue sku.name",
    ]);
  });
});
