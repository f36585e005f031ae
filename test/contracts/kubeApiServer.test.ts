import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { kubeOver, kubeReaderOver } from "../../src/adapters/kube.ts";
import { kubeClusters } from "../../src/adapters/kubeClusters.ts";
import type { WatchEvent } from "../../src/adapters/kubeReader.ts";
import { type KubeTransport, openKubeTransport } from "../../src/adapters/kubeTransport.ts";
import type { ToldEvent } from "../../src/core/kubeEvent.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { Kube } from "../../src/ports.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { installCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { isJsonObject } from "../../src/wire/json.ts";
import { type KubeWorld, kubeContract } from "../support/contracts/kubeContract.ts";
import { must } from "../support/contracts/must.ts";

const group = "infrastructure.cluster.x-k8s.io";
const kind = "AzureCluster";
const crds = ["azureclusters", "azureclusteridentities"].map((plural) =>
  join(import.meta.dirname, `../../infra/cluster/crds/${plural}.${group}.yaml`),
);

let controlPlane: ControlPlane;
let transport: KubeTransport;
let kube: Kube;
let serial = 0;
beforeAll(async () => {
  controlPlane = await startControlPlane({ controllerManager: false });
  await installCrds(controlPlane, crds);
  transport = await openKubeTransport({ kind: "file", path: controlPlane.kubeconfigPath });
  kube = kubeOver(transport);
});
afterAll(() => controlPlane.stop());

type Method = "POST" | "PATCH" | "DELETE";
/** As a user, below the adapter. */
const ask = async (method: Method, path: string, body?: object, contentType = "application/json"): Promise<void> => {
  const sent = body === undefined ? {} : { contentType, body: JSON.stringify(body) };
  const answer = await controlPlane.api.send({ method, path, ...sent });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
};

const makeWorld = async (): Promise<KubeWorld> => {
  serial += 1;
  const namespace = `contract-${serial}`;
  await ask("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
  const path = `/apis/${group}/v1beta1/namespaces/${namespace}/azureclusters`;
  return {
    kube,
    namespace,
    create: (name, spec, labels = {}) =>
      ask("POST", path, { apiVersion: `${group}/v1beta1`, kind, metadata: { name, labels }, spec }),
    edit: (name, spec) => ask("PATCH", `${path}/${name}`, { spec }, "application/merge-patch+json"),
    remove: (name) => ask("DELETE", `${path}/${name}`),
    events: async () => {
      const answer = await controlPlane.api.send({ method: "GET", path: `/api/v1/namespaces/${namespace}/events` });
      return (JSON.parse(answer.body) as { readonly items: readonly ToldEvent[] }).items;
    },
    putSecret: (name, values) =>
      ask(
        "PATCH",
        `/api/v1/namespaces/${namespace}/secrets/${name}?fieldManager=user&force=true`,
        { apiVersion: "v1", kind: "Secret", metadata: { name }, stringData: values },
        "application/apply-patch+yaml",
      ),
  };
};

kubeContract(makeWorld);

describe("the Kubernetes adapter", () => {
  const spec = { location: "westeurope", identityRef: { kind: "AzureClusterIdentity", name: "identity" } };
  const manifest = (namespace: string, name: string, more: JsonObject): JsonObject => ({
    apiVersion: `${group}/v1beta1`,
    kind,
    metadata: { name, namespace },
    ...more,
  });

  it("does not take a missing kind or namespace for a missing object", async () => {
    expect(await kube.get({ kind: "Machine", namespace: "default", name: "m" })).toMatchObject({
      ok: false,
      error: { kind: "dependency", code: "KindOrNamespaceNotFound", status: 404 },
    });
    expect(await kube.list("Machine")).toMatchObject({ ok: false, error: { kind: "dependency" } });
    expect(await kube.apply(manifest("nowhere", "x", { spec }), { fieldManager: "t" })).toMatchObject({
      ok: false,
      error: { kind: "dependency", code: "KindOrNamespaceNotFound" },
    });
    expect(await kube.get({ kind: "Odd", namespace: "", name: "x" })).toMatchObject({ error: { code: "UnknownKind" } });
  });

  it("lists a kind of which there is nothing, whole and by metadata", async () => {
    expect(await kube.list("AzureClusterIdentity")).toEqual({ ok: true, value: [] });
    expect(await kube.listMetadata("AzureClusterIdentity")).toEqual({ ok: true, value: [] });
  });

  it("hands over the server's words about a bad value or field", async () => {
    const { namespace } = await makeWorld();
    const bad = manifest(namespace, "x", { spec: { location: 7 } });
    const invalid = await kube.apply(bad, { fieldManager: "t" });
    expect(invalid).toMatchObject({ ok: false, error: { kind: "badConfiguration" } });
    expect(!invalid.ok && invalid.error.message).toMatch(/location/);
    const field = manifest(namespace, "x", { spec: { ...spec, noSuchField: 1 } });
    expect(await kube.apply(field, { fieldManager: "t" })).toMatchObject({
      ok: false,
      error: { kind: "badConfiguration", code: "UnknownField" },
    });
  });

  it("tells a refused credential from a missing permission", async () => {
    const folder = await mkdtemp(join(tmpdir(), "kubeconfig-"));
    try {
      const path = join(folder, "kubeconfig");
      const cluster = { server: controlPlane.url, "certificate-authority-data": btoa(controlPlane.caPem) };
      const write = (user: object) =>
        writeFile(
          path,
          JSON.stringify({
            clusters: [{ name: "c", cluster }],
            users: [{ name: "u", user }],
            contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
            "current-context": "x",
          }),
        );
      await write({ token: "wrong" });
      const clusters = kubeClusters([{ uid: "c", source: { kind: "file", path } }]);
      const wrong = must(await clusters.connect("c"));
      expect(await wrong.get({ kind: "Namespace", namespace: "", name: "default" })).toMatchObject({
        error: { kind: "auth", code: "Unauthorized", status: 401 },
      });
      await write({ token: controlPlane.token, as: "nobody" });
      expect(await wrong.get({ kind: "Namespace", namespace: "", name: "default" })).toMatchObject({
        error: { kind: "auth", code: "Forbidden", status: 403 },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("lists in pages and projects object by object", async () => {
    const { namespace, create } = await makeWorld();
    const names = Array.from({ length: 7 }, (_, index) => `c${index}`);
    for (const name of names) await create(name, spec, { half: name < "c3" ? "first" : "second" });
    const reader = kubeReaderOver(transport);
    const found: string[] = [];
    let pages = 0;
    let continueToken: string | undefined;
    do {
      const page = must(
        await reader.listPage({
          kind,
          namespace,
          labelSelector: "half=second",
          limit: 2,
          ...(continueToken !== undefined && { continueToken }),
          onObject: ({ metadata }) => found.push(isJsonObject(metadata) ? JSON.stringify(metadata["name"]) : ""),
        }),
      );
      expect(page.resourceVersion).toMatch(/^\d+$/);
      continueToken = page.continueToken;
      pages += 1;
    } while (continueToken !== undefined);
    expect(found).toEqual(names.slice(3).map((name) => JSON.stringify(name)));
    expect(pages).toBe(2);
  });

  it("asks for metadata alone, in lists and watches", async () => {
    const { namespace, create } = await makeWorld();
    await create("one", spec);
    const reader = kubeReaderOver(transport);
    const objects: JsonObject[] = [];
    const selection = { kind, namespace, metadataOnly: true };
    must(await reader.listPage({ ...selection, onObject: (object) => objects.push(object) }));
    const end = new AbortController();
    const onEvent = ({ object }: WatchEvent): void => {
      objects.push(object);
      end.abort();
    };
    await reader.watchKind({ ...selection, resourceVersion: "0", onEvent, signal: end.signal, timeoutSeconds: 30 });
    expect(objects).toHaveLength(2);
    for (const object of objects) expect(object).not.toHaveProperty("spec");
  });

  it("watches from a list on, through changes and deletion", async () => {
    const { namespace, create, edit, remove } = await makeWorld();
    await create("old", spec);
    const reader = kubeReaderOver(transport);
    const { resourceVersion } = must(await reader.listPage({ kind, namespace, onObject: () => undefined }));
    await create("new", spec);
    await edit("new", { additionalTags: { by: "a user" } });
    await remove("new");
    const end = new AbortController();
    const seen: string[] = [];
    const onEvent = ({ type, object: { metadata } }: WatchEvent): void => {
      if (type === "BOOKMARK") return;
      seen.push(`${type} ${isJsonObject(metadata) ? JSON.stringify(metadata["name"]) : ""}`);
      if (type === "DELETED") end.abort();
    };
    const options = { kind, namespace, resourceVersion, onEvent, signal: end.signal, timeoutSeconds: 30 };
    expect(await reader.watchKind(options)).toEqual({ kind: "aborted" });
    expect(seen).toEqual(['ADDED "new"', 'MODIFIED "new"', 'DELETED "new"']);
  });

  it("sees the server end a watch whose time is over", async () => {
    const { namespace } = await makeWorld();
    const reader = kubeReaderOver(transport);
    const options = { kind, namespace, onEvent: () => undefined, signal: new AbortController().signal };
    const { resourceVersion } = must(await reader.listPage({ kind, namespace, onObject: () => undefined }));
    expect(await reader.watchKind({ ...options, resourceVersion, timeoutSeconds: 1 })).toEqual({ kind: "closed" });
    expect(await reader.watchKind({ ...options, resourceVersion: "1", timeoutSeconds: 1 })).toEqual({
      kind: "expired",
    });
  });

  it("says so when the server is away, and works when it is back", async () => {
    await controlPlane.stopApiServer();
    const key = { kind: "Namespace", namespace: "", name: "kube-system" };
    const away = await kube.get(key);
    expect(away).toMatchObject({ ok: false, error: { kind: "transient", code: "NoAnswer" } });
    expect(!away.ok && "status" in away.error).toBe(false);
    await controlPlane.startApiServer();
    expect(must(await kube.get(key)).metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
  });
});
