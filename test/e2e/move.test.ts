import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { clusterctl } from "../../src/sim/controlPlane/clusterctl.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { installProvider } from "../../src/sim/stack/installProvider.ts";
import { namesOf, writeLines } from "../support/e2e/azureLog.ts";
import { eventually } from "../support/e2e/eventually.ts";
import { aCluster, aNamespace, anAzureCluster, anIdentity, type Place } from "../support/e2e/manifests.ts";
import { apply, find, gone, rowsOf, settled, startDeleting } from "../support/e2e/objects.ts";
import { useScene } from "../support/e2e/scene.ts";

const scene = useScene();
const place: Place = { namespace: "moving", name: "moving" };
const group = `${place.namespace}-${place.name}`;
const at = ["-n", place.namespace];

/** What upstream's templates put on an identity and on its secret. */
const labels = { "clusterctl.cluster.x-k8s.io/move-hierarchy": "true" };
const moves = (object: JsonObject): JsonObject => ({
  ...object,
  metadata: { ...(object["metadata"] as JsonObject), labels },
});
const secret: JsonObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { namespace: place.namespace, name: place.name },
  stringData: { clientSecret: "s3cret" },
};
const identity = anIdentity(place, { type: "ServicePrincipal", clientSecret: { ...place } });

interface Told {
  readonly metadata: { readonly resourceVersion: string };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

/** `clusterctl` moves no cluster whose control plane has never been there; Cluster API keeps to what it once was told. */
const withControlPlane = (on: ControlPlane): Promise<unknown> =>
  eventually("the control plane counts as initialized", async () => {
    const cluster = JSON.parse(await on.kubectl(["get", ...at, "cluster", place.name, "-o", "json"])) as Told;
    const is = (one: Told["status"]["conditions"][number]): boolean => one.type === "ControlPlaneInitialized";
    const conditions = cluster.status.conditions.map((one) =>
      is(one) ? { ...one, status: "True", reason: "Initialized" } : one,
    );
    const { resourceVersion } = cluster.metadata;
    const status = { conditions, initialization: { controlPlaneInitialized: true, infrastructureProvisioned: true } };
    const patch = JSON.stringify({ metadata: { resourceVersion }, status });
    await on.kubectl(["patch", ...at, "cluster", place.name, "--subresource=status", "--type=merge", "-p", patch]);
    return cluster.status.conditions.some((one) => is(one) && one.status === "True");
  });

const move = (from: ControlPlane, to: ControlPlane): Promise<string> =>
  clusterctl(from, ["move", "--to-kubeconfig", to.kubeconfigPath, ...at]);

const kinds = ["azurecluster", "cluster", "azureclusteridentity", "secret"] as const;
const namesIn = (on: ControlPlane): Promise<readonly string[]> =>
  Promise.all(kinds.map((kind) => on.kubectl(["get", ...at, kind, "-o", "name", "--ignore-not-found"])));

describe("clusterctl move", () => {
  let there: ControlPlane;
  let before: { readonly spec: JsonObject; readonly writes: readonly string[] };

  beforeAll(async () => {
    there = await startControlPlane({ clusterApi: true });
    await installProvider(there);
    await apply(scene(), [
      aNamespace(place.namespace),
      moves(secret),
      moves(identity),
      aCluster(place),
      anAzureCluster(place),
    ]);
    const { spec } = await settled(scene(), place);
    await withControlPlane(scene().stack.controlPlane);
    before = { spec, writes: await writeLines(scene(), group) };
  });
  afterAll(() => there.stop());

  it("takes cluster, identity and secret to another cluster, and leaves Azure as it is", async () => {
    await move(scene().stack.controlPlane, there);
    for (const kind of ["AzureCluster", "Cluster", "AzureClusterIdentity"]) await gone(scene(), kind, place);
    const arrived = await namesIn(there);
    expect(arrived.map((name) => name.trim().split("/").at(-1))).toEqual(kinds.map(() => place.name));
    // Only what is gone when it is looked at once more is taken for gone.
    await eventually("its rows are gone", async () => (await rowsOf(scene(), place)).length === 0);
    expect(await writeLines(scene(), group)).toEqual(before.writes);
  });

  it("brings them back, and they go on without a write to Azure or to the spec", async () => {
    await withControlPlane(there);
    await move(there, scene().stack.controlPlane);
    const { spec, metadata, status } = await settled(scene(), place);
    expect(spec).toEqual(before.spec);
    expect(status["ready"]).toBe(true);
    expect(metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
    expect((await find(scene(), "AzureClusterIdentity", place))?.metadata.finalizers).toHaveLength(1);
    expect((await namesIn(there)).join("").trim()).toBe("");
    expect(await writeLines(scene(), group)).toEqual(before.writes);
  });

  it("keeps what a deletion needs to take all of it away", async () => {
    await startDeleting(scene(), "cluster", place);
    await gone(scene(), "Cluster", place);
    expect(await namesOf(scene(), group)).toEqual([]);
  });
});
