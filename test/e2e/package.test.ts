import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildApp } from "../../infra/build.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import { startStack } from "../../src/sim/stack/startStack.ts";

/** What is deployed is the bundle, so the bundle too must carry a cluster from apply to ready and away again. */
let folder: string;
let stack: Stack;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-package-"));
  await buildApp(folder);
  stack = await startStack({ app: { folder }, azure: { latency: 0, retryAfterSeconds: 1 } });
});
afterAll(async () => {
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

const quickstart = join(import.meta.dirname, "..", "..", "examples", "quickstart.yaml");

it("the built package creates a cluster and deletes it", async () => {
  await stack.kubectl(["apply", "-f", quickstart]);
  await stack.kubectl(["wait", "azurecluster/quickstart", "--for=condition=Ready", "--timeout=120s"]);
  const created = await stack.azure.resources();
  // Group, network, two security groups, route table, two addresses, NAT gateway, load balancer; subnets are inside.
  expect(created).toHaveLength(9);
  await stack.kubectl(["delete", "cluster/quickstart", "--wait=false"]);
  await stack.kubectl(["wait", "azurecluster/quickstart", "--for=delete", "--timeout=120s"]);
  expect(await stack.azure.resources()).toEqual([]);
});
