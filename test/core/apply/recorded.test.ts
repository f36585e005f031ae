import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type ApplyResult, apply } from "../../../src/core/apply/apply.ts";
import { childId, idKey, typeOf } from "../../../src/core/ids.ts";
import type { Rules } from "../../../src/core/rules.ts";
import type { AppliedLeaf, JsonObject, ResourceId } from "../../../src/core/types.ts";
import { loadSchema } from "../../../src/wire/loadSchema.ts";
import { armFindings } from "../../support/armValidate.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";

interface Put {
  readonly method: string;
  readonly path: ResourceId;
  readonly body: JsonObject;
}
interface Resource extends JsonObject {
  readonly id: string;
}
interface Pair {
  readonly id: ResourceId;
  readonly body: JsonObject;
  readonly observed: JsonObject;
}

const folder = join(sharedDir, "contract", "recordings");
const read = <T>(recording: string, file: string): readonly T[] =>
  JSON.parse(readFileSync(join(folder, recording, file), "utf8")) as T[];
const withoutName = ({ name: _name, ...body }: JsonObject): JsonObject => body;

/** The last PUT of each resource of a recording, with what Azure shows of the resource in the end. */
const pairsOf = (recording: string): readonly Pair[] => {
  const resources = new Map(
    read<Resource>(recording, "resources.json").map((resource) => [idKey(resource.id), resource]),
  );
  const puts = read<Put>(recording, "requests.json").filter(({ method }) => method === "PUT");
  const last = new Map(puts.map((put) => [idKey(put.path), put]));
  return [...last.values()].flatMap(({ path, body }) => {
    const observed = resources.get(idKey(path));
    return observed === undefined ? [] : [{ id: path, body: withoutName(body), observed }];
  });
};

const overlay: Rules = { writes: "overlay" };
const against = async (pair: Pair, rules: Rules, applied?: readonly AppliedLeaf[]): Promise<ApplyResult> =>
  apply({
    schema: await loadSchema(typeOf(pair.id) ?? ""),
    rules,
    desired: { id: pair.id, body: pair.body, defaults: [] },
    observed: { kind: "present", body: pair.observed, etag: 'W/"1"' },
    applied,
    tagsAtScope: true,
  });

const ofDefault = (name: string): Pair => {
  const found = pairsOf("default").find(({ id }) => id.endsWith(`/${name}`));
  if (found === undefined) throw new Error(`no ${name} in the recording`);
  return found;
};
type Properties = Readonly<Record<string, unknown>>;
const propertiesOf = (body: JsonObject | undefined): Properties => (body?.["properties"] ?? {}) as Properties;
const changing = (pair: Pair, properties: (before: Properties) => Properties): Pair => ({
  ...pair,
  body: { ...pair.body, properties: properties(propertiesOf(pair.body)) as JsonObject },
});
/** The one request that a change makes after the recorded body was applied; valid by Azure's own schemas. */
const requestFor = async (before: Pair, rules: Rules, properties: (before: Properties) => Properties) => {
  const { applied } = await against(before, rules);
  const result = await against(changing(before, properties), rules, applied);
  if (result.kind !== "write") throw new Error(`expected a write, got ${result.kind}`);
  const [request, ...others] = result.requests;
  expect(others).toEqual([]);
  if (request === undefined) throw new Error("no request");
  const { path, apiVersion, body } = request;
  expect(await armFindings([{ method: "PUT", path, apiVersion, body: body ?? null }])).toEqual([]);
  return request;
};
const namesIn = (list: unknown): readonly string[] =>
  (list as readonly { readonly name: string }[]).map(({ name }) => name);

describeWithShared("recorded resources", () => {
  it("are taken over with an empty plan, twice", async () => {
    const recordings = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const pairs = recordings.flatMap(({ name }) => pairsOf(name));
    expect(pairs.length).toBeGreaterThan(150);
    for (const pair of pairs) {
      const first = await against(pair, overlay);
      expect(first, pair.id).toMatchObject({ kind: "unchanged" });
      expect(await against(pair, overlay, first.applied), pair.id).toEqual(first);
    }
  });

  it("a virtual network is sent without its subnets and peerings", async () => {
    const rules: Rules = {
      ...overlay,
      sets: ["properties.addressSpace.addressPrefixes"],
      omit: ["properties.subnets", "properties.virtualNetworkPeerings"],
    };
    const request = await requestFor(ofDefault("default-vnet"), rules, () => ({
      addressSpace: { addressPrefixes: ["10.0.0.0/8", "192.168.0.0/16"] },
    }));
    expect(request).toMatchObject({ method: "PUT", ifMatch: 'W/"1"' });
    expect(request.changes).toEqual([
      {
        path: "properties.addressSpace.addressPrefixes",
        from: ["10.0.0.0/8"],
        to: ["10.0.0.0/8", "192.168.0.0/16"],
        effect: "inPlace",
      },
    ]);
    expect(propertiesOf(request.body)).toEqual({
      addressSpace: { addressPrefixes: ["10.0.0.0/8", "192.168.0.0/16"] },
      enableDdosProtection: false,
    });
  });

  it("a subnet loses its route table and keeps what Azure added, of its doubled range one", async () => {
    const vnet = ofDefault("default-vnet");
    const [, node] = propertiesOf(vnet.observed)["subnets"] as readonly JsonObject[];
    const shown = propertiesOf(node) as JsonObject;
    const { addressPrefix, natGateway, networkSecurityGroup, routeTable } = shown;
    const subnet: Pair = {
      id: childId(vnet.id, "subnets", "node-subnet"),
      body: { properties: { addressPrefix, natGateway, networkSecurityGroup, routeTable } } as JsonObject,
      observed: { ...node, properties: { ...shown, addressPrefixes: ["10.1.0.0/16"] } },
    };
    const rules: Rules = { ...overlay, oneOf: [["properties.addressPrefix", "properties.addressPrefixes"]] };
    const request = await requestFor(subnet, rules, ({ routeTable: _gone, ...kept }) => kept);
    expect(request.changes.map(({ path, to }) => ({ path, to }))).toEqual([
      { path: "properties.routeTable.id", to: null },
    ]);
    expect(Object.keys(propertiesOf(request.body)).toSorted()).toEqual([
      "addressPrefix",
      "delegations",
      "natGateway",
      "networkSecurityGroup",
      "privateEndpointNetworkPolicies",
      "privateLinkServiceNetworkPolicies",
    ]);
  });

  it("a security group gets a rule, loses one of ours and keeps a foreign one", async () => {
    const group = ofDefault("default-controlplane-nsg");
    const rules = propertiesOf(group.observed)["securityRules"] as readonly JsonObject[];
    const foreign = { ...rules[0], name: "foreign", properties: { ...propertiesOf(rules[0]), priority: 500 } };
    const observed = {
      ...group.observed,
      properties: { ...propertiesOf(group.observed), securityRules: [foreign, ...rules] },
    } as JsonObject;
    const request = await requestFor({ ...group, observed }, overlay, ({ securityRules }) => {
      const [ssh, api] = securityRules as readonly JsonObject[];
      return {
        securityRules: [api, { ...ssh, name: "allow_http", properties: { ...propertiesOf(ssh), priority: 600 } }],
      };
    });
    expect(namesIn(propertiesOf(request.body)["securityRules"])).toEqual(["foreign", "allow_apiserver", "allow_http"]);
    expect(request.changes.map(({ path }) => path)).toEqual([
      "properties.securityRules[allow_http]",
      "properties.securityRules[allow_ssh]",
    ]);
    expect(JSON.stringify(request.body)).not.toMatch(/provisioningState|defaultSecurityRules|etag|resourceGuid/);
  });

  it("a load balancer keeps the NAT rules of its machines when a rule of ours changes", async () => {
    const request = await requestFor(ofDefault("default-public-lb"), overlay, (before) => {
      const [rule] = before["loadBalancingRules"] as readonly JsonObject[];
      return {
        ...before,
        loadBalancingRules: [{ ...rule, properties: { ...propertiesOf(rule), idleTimeoutInMinutes: 30 } }],
      };
    });
    expect(request.changes).toEqual([
      {
        path: "properties.loadBalancingRules[LBRuleHTTPS].properties.idleTimeoutInMinutes",
        from: 4,
        to: 30,
        effect: "inPlace",
      },
    ]);
    expect(namesIn(propertiesOf(request.body)["inboundNatRules"])).toEqual(["default-control-plane-0"]);
    expect(JSON.stringify(request.body)).not.toMatch(/provisioningState|backendIPConfiguration|etag|resourceGuid/);
  });
});
