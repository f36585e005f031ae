import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crd } from "../../src/api/definition/crd.ts";
import { apiVersionOf, infrastructureKinds, kindEntry } from "../../src/api/registry.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { applyCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { ruleCases } from "../api/rules/index.ts";
import { installPolicies } from "../support/admission/installPolicies.ts";
import { type AnObject, apply, create, read, remove, type Stored, storedIn } from "../support/apiObjects.ts";
import { contractTemplates } from "../support/contractTemplates.ts";
import { richObjects } from "../support/richObjects.ts";
import { describeWithShared } from "../support/shared.ts";

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: false });
  await applyCrds(
    controlPlane.api,
    infrastructureKinds.map((entry) => crd(entry)),
  );
  await installPolicies(controlPlane.api);
  for (const name of ["rich", "rules", "items", "nameless"])
    await controlPlane.api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
});
afterAll(() => controlPlane?.stop());

const managers = ["kubectl", "flux", "argo"] as const;
const rounds = 3;

const version = ({ metadata }: Stored): string => `${metadata.generation}/${metadata.resourceVersion}`;

/** Applies the same object by each manager in turn, and again, and says how generation and resourceVersion went. */
const applyInTurn = async (object: AnObject): Promise<readonly string[]> => {
  const seen: string[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const manager of managers) seen.push(version(storedIn(await apply(controlPlane.api, object, manager))));
  return seen;
};

/** What a tool that keeps what it read would send: everything but what the server alone writes. */
const asRead = ({ metadata, ...rest }: Stored): JsonObject => {
  const { name, namespace, labels, annotations } = metadata;
  const kept = Object.entries({ name, namespace, labels, annotations }).filter(([, value]) => value !== undefined);
  // The one cast: it came as JSON.
  const { status: _, ...body } = rest as JsonObject;
  return { ...body, metadata: Object.fromEntries(kept) as JsonObject };
};

const staysAsItIs = (object: AnObject): void => {
  it("stays as it is when three managers apply it in turn, three times over", async () => {
    const seen = await applyInTurn(object);
    // A manager's first time adds its name to the list of owners; nothing after that.
    const afterFirst = seen[managers.length - 1]!;
    expect(seen.slice(managers.length)).toEqual(seen.slice(managers.length).map(() => afterFirst));
    expect(new Set(seen.map((said) => said.split("/")[0]))).toEqual(new Set(["1"]));
  });

  it("stays as it is when a tool applies what it read, defaults included", async () => {
    const before = storedIn(await apply(controlPlane.api, object, "kubectl"));
    const echo = { ...object, body: asRead(before) };
    const first = storedIn(await apply(controlPlane.api, echo, "echo"));
    expect(first.metadata.generation).toBe(1);
    for (const [sent, manager] of [
      [object, "kubectl"],
      [echo, "echo"],
      [object, "flux"],
      [echo, "echo"],
    ] as const)
      expect(version(storedIn(await apply(controlPlane.api, sent, manager)))).toBe(version(first));
  });

  it("may be created from the client's side and applied by the server's afterwards", async () => {
    await remove(controlPlane.api, object);
    storedIn(await create(controlPlane.api, object));
    const seen = await applyInTurn(object);
    expect(new Set(seen.map((said) => said.split("/")[0]))).toEqual(new Set(["1"]));
    expect(new Set(seen.slice(managers.length)).size).toBe(1);
  });
};

const baseObjects = ruleCases.map(({ kind, base }): AnObject => {
  const entry = kindEntry(kind);
  if (entry === undefined) throw new Error(`no kind ${kind}`);
  const apiVersion = apiVersionOf(entry);
  const { name } = base["metadata"] as { readonly name: string };
  return { apiVersion, kind, name, namespace: "rules", body: { apiVersion, kind, ...base } };
});

describe.each([...baseObjects, ...richObjects])("$kind $name", staysAsItIs);

describeWithShared("of upstream's templates", () => {
  const ours = contractTemplates()
    .flatMap(({ objects }) => objects)
    .filter(({ kind, apiVersion }) => kindEntry(kind) !== undefined && apiVersion.startsWith("infrastructure"));
  describe.each(ours)("$kind $name", staysAsItIs);
});

/** Two items of one keyed list, in what two managers apply. */
interface SharedList {
  readonly list: string;
  readonly kind: string;
  readonly common: JsonObject;
  /** The path of the list in the spec. */
  readonly path: readonly string[];
  readonly items: readonly [JsonObject, JsonObject];
  /** Whether a rule keeps items from going. */
  readonly stays?: boolean;
}

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
const machine = { vmSize: "Standard_D2s_v3", sshPublicKey: "", osDisk: { osType: "Linux", diskSizeGB: 128 } };
const identityRef = { kind: "AzureClusterIdentity", name: "identity" };
const securityRule = { description: "", protocol: "Tcp", direction: "Inbound", source: "*", destination: "*" };
const ports = { sourcePorts: "*", destinationPorts: "22" };
const sharedLists: readonly SharedList[] = [
  {
    list: "subnets",
    kind: "AzureCluster",
    common: { location: "westeurope", identityRef },
    path: ["networkSpec", "subnets"],
    items: [
      { name: "cp", role: "control-plane", cidrBlocks: ["10.0.0.0/16"] },
      { name: "node", role: "node", cidrBlocks: ["10.1.0.0/16"] },
    ],
  },
  {
    list: "ports of the load balancer",
    kind: "AzureCluster",
    common: { location: "westeurope", identityRef },
    path: ["networkSpec", "additionalAPIServerLBPorts"],
    items: [
      { name: "one", port: 8132 },
      { name: "two", port: 8133 },
    ],
  },
  {
    list: "security rules",
    kind: "AzureCluster",
    common: {
      location: "westeurope",
      identityRef,
      bastionSpec: {
        azureBastion: { subnet: { name: "AzureBastionSubnet", role: "bastion", securityGroup: { name: "nsg" } } },
      },
    },
    path: ["bastionSpec", "azureBastion", "subnet", "securityGroup", "securityRules"],
    items: [
      { name: "one", priority: 2201, ...securityRule, ...ports },
      { name: "two", priority: 2202, ...securityRule, ...ports },
    ],
  },
  {
    list: "VM extensions",
    kind: "AzureMachine",
    common: machine,
    path: ["vmExtensions"],
    items: [
      { name: "one", publisher: "Example", version: "1.0" },
      { name: "two", publisher: "Example", version: "1.0" },
    ],
  },
  {
    list: "taints",
    kind: "AzureManagedMachinePool",
    common: { mode: "User", sku: "Standard_D2s_v3" },
    path: ["taints"],
    items: [
      { key: "gpu", value: "yes", effect: "NoSchedule" },
      { key: "gpu", value: "yes", effect: "NoExecute" },
    ],
  },
  {
    list: "add-ons",
    kind: "AzureManagedControlPlane",
    common: { identityRef, location: "westeurope", resourceGroupName: "group", version: "v1.35.1" },
    path: ["addonProfiles"],
    stays: true,
    items: [
      { name: "azurepolicy", enabled: true },
      { name: "omsagent", enabled: true },
    ],
  },
];

/** The object with one value laid at a path, the rest as it is. */
const withAt = (object: JsonObject, [key, ...rest]: readonly string[], value: JsonObject[string]): JsonObject => {
  if (key === undefined) return object;
  // The one cast: what stands at the path of a list is an object.
  const inner = (object[key] ?? {}) as JsonObject;
  return { ...object, [key]: rest.length === 0 ? value : withAt(inner, rest, value) };
};

const at = (object: JsonObject, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as JsonObject)[key], object);

describe.each(sharedLists)("$list of $kind", ({ kind, common, path, items, list, stays = false }) => {
  const name = list.toLowerCase().replaceAll(" ", "-");
  const aList = (own: readonly JsonObject[]): AnObject => {
    const spec = withAt(common, path, own);
    return { apiVersion, kind, name, namespace: "items", body: { apiVersion, kind, metadata: { name }, spec } };
  };

  it("have an owner each, and each owner's items come and go without the other's", async () => {
    const [one, two] = items;
    storedIn(await apply(controlPlane.api, aList([one]), "one"));
    const both = storedIn(await apply(controlPlane.api, aList([two]), "two"));
    expect(at(both["spec"] as JsonObject, path)).toMatchObject([one, two]);
    for (const [own, manager] of [
      [one, "one"],
      [two, "two"],
      [one, "one"],
    ] as const)
      expect(version(storedIn(await apply(controlPlane.api, aList([own]), manager)))).toBe(version(both));
    const { status } = await apply(controlPlane.api, aList([]), "two");
    expect(status).toBe(stays ? 422 : 200);
    const left = await read(controlPlane.api, aList([]));
    expect(at(left["spec"] as JsonObject, path)).toMatchObject(stays ? [one, two] : [one]);
  });
});

const withSubnets = (names: readonly string[]): JsonObject => ({
  location: "westeurope",
  identityRef,
  networkSpec: {
    subnets: ["control-plane", "node"].map((role, index) => ({
      ...(names[index] !== undefined && { name: names[index] }),
      role,
      cidrBlocks: [`10.${index}.0.0/16`],
    })),
  },
});

/** Without a key there is no telling which item a manager means, so two of them would undo each other's for ever. */
describe.each([
  { kind: "AzureCluster", path: "spec.networkSpec", specOf: withSubnets },
  {
    kind: "AzureClusterTemplate",
    path: "spec.template.spec.networkSpec",
    specOf: (names: readonly string[]): JsonObject => ({ template: { spec: withSubnets(names) } }),
  },
])("a list of subnets without names in an $kind", ({ kind, path, specOf }) => {
  const anObject = (name: string, names: readonly string[]): AnObject => {
    const body = { apiVersion, kind, metadata: { name }, spec: specOf(names) };
    return { apiVersion, kind, name, namespace: "nameless", body };
  };
  const refusal = { status: expect.any(Number), body: expect.stringContaining(`.${path}.subnets: element 0: `) };

  it("is refused to two managers again and again, and nothing is made of it", async () => {
    const nameless = anObject("new", []);
    for (const manager of ["one", "two", "one", "two"]) {
      const answer = await apply(controlPlane.api, nameless, manager, { force: true });
      expect(answer).toMatchObject(refusal);
      expect(answer.body).toContain('omits all key fields [\\"name\\"]');
    }
    await expect(read(controlPlane.api, nameless)).rejects.toThrow("404");
  });

  it("changes nothing of what has names", async () => {
    const named = storedIn(await apply(controlPlane.api, anObject("old", ["cp", "nodes"]), "one"));
    for (const manager of ["one", "two", "one", "two"])
      expect(await apply(controlPlane.api, anObject("old", []), manager, { force: true })).toMatchObject(refusal);
    expect(version(await read(controlPlane.api, anObject("old", [])))).toBe(version(named));
  });

  it("is refused at creation, with the field", async () => {
    const { status, body } = await create(controlPlane.api, anObject("new", []));
    expect({ status, body }).toEqual({
      status: 422,
      body: expect.stringContaining(`${path}.subnets[0].name: Required value`),
    });
  });
});
