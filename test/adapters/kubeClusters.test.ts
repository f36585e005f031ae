import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { kubeClusters } from "../../src/adapters/kubeClusters.ts";

/** A server that knows one token and counts connections. */
const server = createServer((request, response) => {
  tokens.push(request.headers.authorization);
  const known = request.headers.authorization === `Bearer ${validToken}`;
  response.writeHead(known ? 200 : 401, { "content-type": "application/json" });
  response.end(JSON.stringify({ metadata: { name: "team", uid: "u", resourceVersion: "1" } }));
});
const tokens: (string | undefined)[] = [];
let validToken = "first";
let folder: string;
let path: string;

const writeKubeconfig = (token: string): Promise<void> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const config = {
    clusters: [{ name: "c", cluster: { server: url, "insecure-skip-tls-verify": true } }],
    users: [{ name: "u", user: { token } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  return writeFile(path, JSON.stringify(config));
};

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "kube-"));
  path = join(folder, "kubeconfig");
});
afterEach(() => rm(folder, { recursive: true }));

const team = { kind: "Namespace", namespace: "", name: "team" };
const registered = () => kubeClusters([{ uid: "known", source: { kind: "file", path } }]);

describe("kubeClusters", () => {
  it("refuses a cluster that is not registered", async () => {
    expect(await registered().connect("foreign")).toMatchObject({ ok: false, error: { code: "UnknownCluster" } });
  });

  it("reads the kubeconfig again after its token was refused", async () => {
    validToken = "first";
    await writeKubeconfig("first");
    const kube = await registered().connect("known");
    if (!kube.ok) throw new Error(kube.error.message);
    expect(await kube.value.get(team)).toMatchObject({ ok: true });
    validToken = "second";
    await writeKubeconfig("second");
    expect(await kube.value.get(team)).toMatchObject({ ok: false, error: { kind: "auth", status: 401 } });
    expect(await kube.value.get(team)).toMatchObject({ ok: true });
    expect(tokens).toEqual(["Bearer first", "Bearer first", "Bearer second"]);
  });

  it("comes back once a missing kubeconfig is there, and never quotes a broken one", async () => {
    const clusters = registered();
    expect(await clusters.connect("known")).toMatchObject({ ok: false, error: { code: "KubeconfigUnreadable" } });
    await writeFile(path, "{ token: hunter2");
    const broken = await clusters.connect("known");
    expect(broken).toMatchObject({ ok: false, error: { code: "KubeconfigUnreadable" } });
    expect(JSON.stringify(broken)).not.toContain("hunter2");
    await writeKubeconfig("first");
    expect(await clusters.connect("known")).toMatchObject({ ok: true });
  });

  it("tells no answer from a refusal", async () => {
    await writeFile(
      path,
      JSON.stringify({
        clusters: [{ name: "c", cluster: { server: "http://127.0.0.1:1", "insecure-skip-tls-verify": true } }],
        users: [{ name: "u", user: {} }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        "current-context": "x",
      }),
    );
    const kube = await registered().connect("known");
    if (!kube.ok) throw new Error(kube.error.message);
    const answer = await kube.value.get(team);
    expect(answer).toMatchObject({ ok: false, error: { kind: "transient", code: "NoAnswer" } });
    expect(!answer.ok && "status" in answer.error).toBe(false);
  });
});
