import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clusterctl } from "../../src/sim/controlPlane/clusterctl.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { installCrds } from "../../src/sim/controlPlane/installCrds.ts";
import { runCommand } from "../../src/sim/controlPlane/runCommand.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";

const progress = (line: string): void => console.error(line);
const eventually = async (what: string, check: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 300; tries += 1) {
    if (await check()) return;
    await sleep(100);
  }
  throw new Error(`not within 30 s: ${what}`);
};

/** An infrastructure kind, as small as Cluster API lets it be. */
const infrastructureCrd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: testclusters.infrastructure.cluster.x-k8s.io }
spec:
  group: infrastructure.cluster.x-k8s.io
  names: { kind: TestCluster, plural: testclusters, singular: testcluster, listKind: TestClusterList }
  scope: Namespaced
  versions:
    - name: v1beta1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const namespace = (name: string): string => `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${name} }\n`;
const cluster = (inNamespace: string, name: string, pods = "10.1.0.0/16"): string => `
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: { name: ${name}, namespace: ${inNamespace} }
spec:
  clusterNetwork: { pods: { cidrBlocks: ["${pods}"] } }
  infrastructureRef: { apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: TestCluster, name: ${name} }
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the local control plane with Cluster API", () => {
  let controlPlane: ControlPlane;
  beforeAll(async () => {
    controlPlane = await startControlPlane({ clusterApi: true, progress });
    const file = join(folder, "testclusters.yaml");
    await writeFile(file, infrastructureCrd);
    await installCrds(controlPlane, [file], { "cluster.x-k8s.io/v1beta1": "v1beta1" });
  });
  afterAll(() => controlPlane.stop());

  const apply = (yaml: string): Promise<string> => controlPlane.kubectl(["apply", "-f", "-"], yaml);
  const get = async (...args: readonly string[]): Promise<string> =>
    (await controlPlane.kubectl(["get", "--ignore-not-found", ...args])).trim();
  const phase = (inNamespace: string, name: string): Promise<string> =>
    get("-n", inNamespace, "cluster", name, "-o", "jsonpath={.status.phase}");

  it("says which version it is", async () => {
    expect(JSON.parse(await controlPlane.kubectl(["get", "--raw", "/version"]))).toMatchObject({
      gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/),
    });
  });

  it("can be reached with the kubeconfig file alone, which nobody else may read", async () => {
    expect(await readFile(controlPlane.kubeconfigPath, "utf8")).toBe(controlPlane.kubeconfig);
    expect(controlPlane.kubeconfig).toContain(`server: ${controlPlane.url}`);
    expect((await runCommand("ls", ["-l", controlPlane.kubeconfigPath])).slice(0, 10)).toBe("-rw-------");
  });

  it("lets nobody in without a token", async () => {
    const options = [
      "--kubeconfig=/dev/null",
      `--server=${controlPlane.url}`,
      "--insecure-skip-tls-verify",
      "--token=wrong",
    ];
    await expect(controlPlane.kubectl(["get", "secrets", ...options])).rejects.toThrow(/Unauthorized|logged in/);
  });

  it("converts, checks and reconciles a Cluster of the older version", async () => {
    await apply(`${namespace("conversion")}---\n${cluster("conversion", "one")}`);
    const reference = ["-o", "jsonpath={.spec.infrastructureRef}"];
    expect(JSON.parse(await get("-n", "conversion", "clusters.v1beta2.cluster.x-k8s.io", "one", ...reference))).toEqual(
      {
        apiGroup: "infrastructure.cluster.x-k8s.io",
        kind: "TestCluster",
        name: "one",
      },
    );
    await eventually("phase Provisioning", async () => (await phase("conversion", "one")) === "Provisioning");
    await expect(apply(cluster("conversion", "two", "10.1.0.0/99"))).rejects.toThrow(/invalid CIDR address/);
  });

  it("collects garbage and ends namespaces", async () => {
    await apply(namespace("garbage"));
    const configMap = (name: string, owners: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: garbage, ownerReferences: [${owners}] }\n`;
    await apply(configMap("owner", ""));
    const uid = await get("-n", "garbage", "configmap", "owner", "-o", "jsonpath={.metadata.uid}");
    await apply(configMap("owned", `{ apiVersion: v1, kind: ConfigMap, name: owner, uid: ${uid} }`));
    await controlPlane.kubectl(["delete", "-n", "garbage", "configmap", "owner"]);
    await eventually("the owned one goes", async () => (await get("-n", "garbage", "configmap", "owned")) === "");
    await controlPlane.kubectl(["delete", "namespace", "garbage", "--wait=false"]);
    await eventually("the namespace goes", async () => (await get("namespace", "garbage")) === "");
  });

  it("keeps port, data and managers through an outage of the API server", async () => {
    await apply(namespace("outage"));
    await controlPlane.stopApiServer();
    await expect(controlPlane.kubectl(["get", "namespaces"])).rejects.toThrow(/refused/);
    await controlPlane.startApiServer();
    expect(await get("namespace", "outage", "-o", "name")).toBe("namespace/outage");
    await apply(cluster("outage", "after"));
    await eventually("phase Provisioning", async () => (await phase("outage", "after")) === "Provisioning");
    for (const name of ["kube-controller-manager", "capi-core", "capi-kubeadm-bootstrap", "capi-kubeadm-control-plane"])
      expect(controlPlane.parts.processes.ended(name), name).toBeUndefined();
  });

  it("is one that clusterctl describes, and does not move objects from before they are ready", async () => {
    await apply(`${namespace("move")}---\n${cluster("move", "moving")}`);
    expect(await clusterctl(controlPlane, ["describe", "cluster", "-n", "move", "moving"])).toContain("move/moving");
    const target = await mkdtemp(join(folder, "moved-"));
    await expect(clusterctl(controlPlane, ["move", "-n", "move", "--to-directory", target])).rejects.toThrow(
      /cannot start the move/,
    );
  });
});

describe("the processes of the control plane", () => {
  const cli = fileURLToPath(import.meta.resolve("../../src/sim/controlPlane/main.ts"));
  interface Owner {
    readonly pid: number;
    readonly dir: string;
    readonly exited: Promise<unknown>;
  }
  /** Starts the command line in a process of its own and reads from its output where its data is. */
  const startOwner = async (): Promise<Owner> => {
    const child = spawn(process.execPath, [cli], { stdio: ["ignore", "pipe", "inherit"] });
    const exited = once(child, "exit");
    for await (const chunk of child.stdout.setEncoding("utf8")) {
      const path = /^export KUBECONFIG=(.+)$/m.exec(String(chunk))?.[1];
      if (path !== undefined) return { pid: child.pid!, dir: dirname(path), exited };
    }
    throw new Error("the control plane did not start");
  };
  /** All processes that mention the folder on their command line. */
  const running = async (dir: string): Promise<readonly string[]> =>
    (await runCommand("ps", ["-axo", "pid=,args="])).split("\n").filter((line) => line.includes(dir));

  it.each(["SIGKILL", "SIGINT"] as const)("all go, and the folder too, when their owner gets %s", async (signal) => {
    const owner = await startOwner();
    expect((await running(owner.dir)).length).toBeGreaterThanOrEqual(4);
    process.kill(owner.pid, signal);
    await owner.exited;
    await eventually("no process is left", async () => (await running(owner.dir)).length === 0);
    await eventually("the folder goes", () => Promise.resolve(!existsSync(owner.dir)));
  });

  it("go on with port, token and data in a folder that is kept", async () => {
    const dir = join(folder, "kept");
    const first = await startControlPlane({ dir, controllerManager: false, progress });
    await first.kubectl(["create", "namespace", "kept"]);
    await first.stop();
    await first.stop();
    expect(await running(dir)).toEqual([]);
    const second = await startControlPlane({ dir, controllerManager: false, progress });
    try {
      expect(second.kubeconfig).toBe(first.kubeconfig);
      expect(await second.kubectl(["get", "namespace", "kept", "-o", "name"])).toBe("namespace/kept\n");
    } finally {
      await second.stop();
    }
  });

  it("are not started on a port that is taken", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await once(squatter, "listening");
    const { port } = squatter.address() as AddressInfo;
    const dir = join(folder, "squatted");
    await expect(startControlPlane({ dir, apiServerPort: port, progress })).rejects.toThrow(
      `port ${port} on 127.0.0.1 is in use`,
    );
    squatter.close();
    expect(await running(dir)).toEqual([]);
  });

  it("leave nothing behind and show the log when one does not come up", async () => {
    const assets = await mkdtemp(join(folder, "assets-"));
    await writeFile(join(assets, "kube-apiserver"), "#!/bin/sh\necho no memory >&2\nexit 3\n", { mode: 0o755 });
    const dir = join(folder, "failing");
    const env = { ...process.env, KUBEBUILDER_ASSETS: assets };
    await expect(startControlPlane({ dir, env, progress })).rejects.toThrow(
      "kube-apiserver ended with status 3. The end of its log:\nno memory",
    );
    expect(await running(dir)).toEqual([]);
  });
});
