import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { startClusterApi } from "../../src/sim/controlPlane/startClusterApi.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { installProvider } from "../../src/sim/stack/installProvider.ts";
import { contractTemplates } from "../support/contractTemplates.ts";
import { eventually } from "../support/e2e/eventually.ts";
import { grantAllButInfrastructure } from "../support/managerRights.ts";
import { describeWithShared } from "../support/shared.ts";
import { changesWithin, settle } from "../support/versions.ts";

/**
 * Cluster API's own managers make and change our kinds as classes of clusters ask for. Neither watcher nor functions run:
 * what they would write is written here by hand. The managers have no more rights on our kinds than our roles give them.
 */

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startControlPlane();
  await grantAllButInfrastructure(controlPlane);
  await startClusterApi(controlPlane, { rights: "serviceAccounts" });
  await installProvider(controlPlane);
});
afterAll(() => controlPlane?.stop());

const kubectl = (...args: readonly string[]): Promise<string> => controlPlane.kubectl(args);
const applyText = (yaml: string): Promise<string> => controlPlane.kubectl(["apply", "--server-side", "-f", "-"], yaml);

interface Found {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: JsonObject;
}

/** The objects of a kind that belong to a cluster, oldest first. */
const ofCluster = async (kind: string, cluster: string): Promise<readonly Found[]> => {
  const selector = `-l=cluster.x-k8s.io/cluster-name=${cluster}`;
  const text = await kubectl("get", kind, selector, "--sort-by=.metadata.creationTimestamp", "-o", "json");
  // The one cast: the API server's own form.
  return (JSON.parse(text) as { readonly items: readonly Found[] }).items;
};

const only = async (kind: string, cluster: string): Promise<Found> => {
  const [one, ...more] = await ofCluster(kind, cluster);
  if (one === undefined || more.length > 0) throw new Error(`not one ${kind} of ${cluster}, but ${more.length + 1}`);
  return one;
};

const reconciled = (cluster: string): Promise<unknown> =>
  eventually(`the topology of ${cluster} is reconciled`, async () => {
    const path = '{.status.conditions[?(@.type=="TopologyReconciled")]}';
    const said = await kubectl("get", "cluster", cluster, "-o", `jsonpath=${path}`);
    if (JSON.parse(said)["status"] === "True") return true;
    throw new Error(said);
  });

/** What a provider tells when the infrastructure of a cluster stands. */
const provide = async (kind: string, cluster: string): Promise<void> => {
  const { metadata } = await only(kind, cluster);
  const patch = (body: object, ...options: readonly string[]): Promise<string> =>
    kubectl("patch", kind, metadata.name, "--type=merge", ...options, "-p", JSON.stringify(body));
  await patch({ spec: { controlPlaneEndpoint: { host: `${cluster}.example.com`, port: 6443 } } });
  await patch({ status: { ready: true } }, "--subresource=status");
};

const cluster = "classy";
const vmSizesOf = async (): Promise<readonly unknown[]> =>
  (await ofCluster("azuremachinetemplates", cluster)).map(({ spec }) => {
    const template = spec["template"] as { readonly spec: { readonly vmSize: string } };
    return template.spec.vmSize;
  });
/** Name of the template that new workers are made from. */
const workerTemplate = async (): Promise<string> => {
  const deployment = await only("machinedeployments", cluster);
  const path = "{.spec.template.spec.infrastructureRef.name}";
  return kubectl("get", "machinedeployment", deployment.metadata.name, "-o", `jsonpath=${path}`);
};

describe("a class of self-managed clusters", () => {
  beforeAll(async () => {
    await applyText(
      await readFile(join(import.meta.dirname, "..", "..", "examples", "clusterclass-selfmanaged.yaml"), "utf8"),
    );
  });

  it("makes an AzureCluster and its templates, with the cluster's own region and sizes", async () => {
    await reconciled(cluster);
    const { spec } = await only("azureclusters", cluster);
    expect(spec).toMatchObject({
      location: "westeurope",
      networkSpec: { subnets: [{ name: "control-plane-subnet" }, { name: "node-subnet" }] },
    });
    expect(await vmSizesOf()).toEqual(["Standard_D2s_v3", "Standard_D2s_v3"]);
  });

  it("makes machines once the infrastructure stands", async () => {
    await provide("azureclusters", cluster);
    await eventually("three machines", async () => (await ofCluster("azuremachines", cluster)).length === 3);
  });
});

describeWithShared("upstream's class of AKS clusters", () => {
  const templates = contractTemplates().filter(({ name }) => /-aks-(clusterclass|topology)$/.test(name));
  beforeAll(async () => {
    for (const { objects } of templates)
      await applyText(objects.map(({ body }) => JSON.stringify(body)).join("\n---\n"));
  });
  const name = templates[0]!.objects[0]!.name;

  it("makes a managed cluster, control plane and pools", async () => {
    await reconciled(name);
    const { spec } = await only("azuremanagedcontrolplanes", name);
    expect(spec).toMatchObject({ location: "westeurope", version: "v1.35.1" });
    await only("azuremanagedclusters", name);
    const modes = (await ofCluster("azuremanagedmachinepools", name)).map((pool) => pool.spec["mode"]);
    expect(new Set(modes)).toEqual(new Set(["System", "User"]));
    await provide("azuremanagedclusters", name);
  });
});

/** Makes the topology controller look again at every cluster. */
const poke = (turn: number): Promise<string> =>
  kubectl("annotate", "--overwrite", "clusters", "--all", `example.com/poked=${turn}`);
const standStillSeconds = 60;

describe("the topology controller", () => {
  it("leaves all objects alone once they are as the classes say, however often it looks", async () => {
    await settle(controlPlane.api);
    expect(await changesWithin(controlPlane.api, standStillSeconds, poke)).toEqual([]);
  });

  it("makes a new template for other machines, which our policy on templates lets it find out", async () => {
    const before = await ofCluster("azuremachinetemplates", cluster);
    const beforeWorker = await workerTemplate();
    const change = [
      { op: "test", path: "/spec/topology/variables/2/name", value: "workerVMSize" },
      { op: "replace", path: "/spec/topology/variables/2/value", value: "Standard_D4s_v3" },
    ];
    await kubectl("patch", "cluster", cluster, "--type=json", "-p", JSON.stringify(change));
    await eventually("the deployment refers to a new template", async () => (await workerTemplate()) !== beforeWorker);
    await reconciled(cluster);
    const after = await ofCluster("azuremachinetemplates", cluster);
    expect(after.map(({ metadata }) => metadata.name)).toEqual([
      ...before.map(({ metadata }) => metadata.name),
      await workerTemplate(),
    ]);
    expect(after.map(({ metadata }) => metadata.generation)).toEqual([1, 1, 1]);
    expect(await vmSizesOf()).toEqual(["Standard_D2s_v3", "Standard_D2s_v3", "Standard_D4s_v3"]);
  });

  it("then leaves all objects alone again", async () => {
    await settle(controlPlane.api);
    expect(await changesWithin(controlPlane.api, standStillSeconds, poke)).toEqual([]);
    await reconciled(cluster);
  });
});
