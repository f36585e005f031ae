import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ComputeManagementClient } from "@azure/arm-compute";
import { NetworkManagementClient } from "@azure/arm-network";
import { ResourceManagementClient } from "@azure/arm-resources";
import {
  bearerTokenAuthenticationPolicy,
  createHttpHeaders,
  createPipelineFromOptions,
  createPipelineRequest,
  type HttpMethods,
} from "@azure/core-rest-pipeline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { fakeCredential } from "../../src/sim/arm/fakeCredential.ts";
import type { Json } from "../../src/sim/arm/json.ts";
import type { WriteToValidate } from "../../src/sim/arm/options.ts";
import { rerouteTransport } from "../../src/sim/arm/rerouteTransport.ts";
import { type ArmSimulator, startArmSimulator } from "../../src/sim/arm/startArmSimulator.ts";
import { launch } from "../../src/sim/process/launch.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

const subscription = "00000000-0000-4000-8000-000000000001";
const group = `/subscriptions/${subscription}/resourceGroups/rg`;
const vnetId = `${group}/providers/Microsoft.Network/virtualNetworks/vnet`;
const location = "eastus";

let simulator: ArmSimulator;
beforeAll(async () => {
  simulator = await startArmSimulator({ retryAfterSeconds: "none", pageSize: 2, signedUrls: true });
});
afterEach(() => simulator.reset());
afterAll(() => simulator.stop());

/** One request through the pipeline of production: bearer token, https URLs, no retries. */
const send = async (method: HttpMethods, url: string, body?: Json, headers: Record<string, string> = {}) => {
  const pipeline = createPipelineFromOptions({ retryOptions: { maxRetries: 0 } });
  const scopes = ["https://management.azure.com/.default"];
  pipeline.addPolicy(bearerTokenAuthenticationPolicy({ credential: fakeCredential(), scopes }));
  const absolute = url.startsWith("https:") ? url : `https://management.azure.com${url}?api-version=2025-09-01`;
  const request = createPipelineRequest({
    url: absolute,
    method,
    headers: createHttpHeaders({ "content-type": "application/json", ...headers }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await pipeline.sendRequest(rerouteTransport(simulator.url), request);
  const text = response.bodyAsText ?? "";
  return {
    status: response.status,
    headers: response.headers,
    url: response.request.url,
    body: text === "" ? undefined : (JSON.parse(text) as Json),
  };
};

const vnet: Json = { location, properties: { addressSpace: { addressPrefixes: ["10.0.0.0/8"] } } };

describe("through the pipeline", () => {
  it("a write, its operation, and the resource keep their https URLs", async () => {
    await send("PUT", group, { location });
    const accepted = await send("PUT", vnetId, vnet);
    expect(accepted.status).toBe(201);
    expect(accepted.url).toBe(`https://management.azure.com${vnetId}?api-version=2025-09-01`);
    const operation = accepted.headers.get("azure-asyncoperation")!;
    expect(operation).toMatch(/^https:\/\/management\.azure\.com\/.{3000}/);
    expect((await send("GET", operation)).body).toEqual({ status: "Succeeded" });
    expect((await send("GET", vnetId)).headers.get("etag")).toMatch(/^W\//);
    expect((await send("HEAD", group)).status).toBe(204);
    expect((await send("DELETE", vnetId)).status).toBe(202);
    expect((await send("DELETE", vnetId)).status).toBe(204);
  });

  it.each(["management.usgovcloudapi.net", "eastus.management.azure.com", "management.chinacloudapi.cn"])(
    "reaches it as %s",
    async (host) => expect((await send("GET", `https://${host}${group}?api-version=2025-04-01`)).status).toBe(404),
  );

  it.each(["example.com", "management.azure.com.example.com", "notmanagement.azure.com"])(
    "does not let a request out to %s",
    async (host) =>
      await expect(send("GET", `https://${host}/`)).rejects.toThrow(/not a host of Azure Resource Manager/),
  );

  it("a cut connection is an error, with or without the effect", async () => {
    await send("PUT", group, { location });
    simulator.setFaults([
      { match: { path: "virtualNetworks" }, fault: { kind: "drop", when: "before" } },
      { match: { path: "virtualNetworks", nth: 2 }, fault: { kind: "drop", when: "after" } },
    ]);
    await expect(send("PUT", vnetId, vnet)).rejects.toThrow();
    expect((await send("GET", group)).status).toBe(200);
    await expect(send("PUT", vnetId, vnet)).rejects.toThrow();
    expect((await send("GET", vnetId)).status).toBe(200);
  });

  it("unknown characters and bad bodies do no harm", async () => {
    await send("PUT", group, { location });
    expect((await send("GET", `${group}/providers/Microsoft.Network/virtualNetworks/%E0%A4%A`)).status).toBe(404);
    const answer = await fetch(`${simulator.url}${vnetId}?api-version=2025-09-01`, {
      method: "PUT",
      body: "{",
      headers: { authorization: "Bearer t" },
    });
    expect(answer.status).toBe(400);
  });
});

describe("through the clients of Azure", () => {
  const options = () => ({ httpClient: rerouteTransport(simulator.url), retryOptions: { maxRetries: 0 } });
  const quick = { updateIntervalInMs: 1 };

  it("a network is made, read, listed in pages, and deleted", async () => {
    const groups = new ResourceManagementClient(fakeCredential(), subscription, options());
    const client = new NetworkManagementClient(fakeCredential(), subscription, options());
    await groups.resourceGroups.createOrUpdate("rg", { location });
    const made = await client.virtualNetworks.createOrUpdate(
      "rg",
      "vnet",
      { location, addressSpace: { addressPrefixes: ["10.0.0.0/8"] } },
      quick,
    );
    expect(made).toMatchObject({ provisioningState: "Succeeded", enableDdosProtection: false });
    for (const [at, name] of ["a", "b", "c"].entries()) {
      const subnet = await client.subnets.createOrUpdate(
        "rg",
        "vnet",
        name,
        { addressPrefix: `10.${at}.0.0/16` },
        quick,
      );
      expect(subnet).toMatchObject({ name, provisioningState: "Succeeded" });
    }
    const listed: (string | undefined)[] = [];
    for await (const subnet of client.subnets.list("rg", "vnet")) listed.push(subnet.name);
    expect(listed).toEqual(["a", "b", "c"]);
    const nsg = await client.networkSecurityGroups.createOrUpdate("rg", "nsg", { location }, quick);
    expect(nsg.defaultSecurityRules).toHaveLength(6);
    await expect(
      client.subnets.createOrUpdate("rg", "vnet", "d", { addressPrefix: "10.0.1.0/24" }, quick),
    ).rejects.toMatchObject({ code: "NetcfgSubnetRangesOverlap", statusCode: 400 });
    await client.virtualNetworks.delete("rg", "vnet", quick);
    await expect(client.virtualNetworks.get("rg", "vnet")).rejects.toMatchObject({ statusCode: 404 });
    await groups.resourceGroups.delete("rg", quick);
    expect(simulator.state.resources.size).toBe(0);
  });

  it("a load balancer with a NAT rule, a failing operation, and the SKU list", async () => {
    const client = new NetworkManagementClient(fakeCredential(), subscription, options());
    simulator.seed([{ id: group, location }]);
    const pip = await client.publicIPAddresses.createOrUpdate(
      "rg",
      "pip",
      { location, sku: { name: "Standard" }, publicIPAllocationMethod: "Static" },
      quick,
    );
    expect(pip.ipAddress).toBeDefined();
    const lbId = `${group}/providers/Microsoft.Network/loadBalancers/lb`;
    await client.loadBalancers.createOrUpdate(
      "rg",
      "lb",
      {
        location,
        sku: { name: "Standard" },
        frontendIPConfigurations: [{ name: "f", publicIPAddress: { id: pip.id! } }],
      },
      quick,
    );
    const rule = await client.inboundNatRules.createOrUpdate(
      "rg",
      "lb",
      "n",
      {
        protocol: "Tcp",
        frontendPort: 22,
        backendPort: 22,
        frontendIPConfiguration: { id: `${lbId}/frontendIPConfigurations/f` },
      },
      quick,
    );
    expect(rule).toMatchObject({ name: "n", idleTimeoutInMinutes: 4 });
    simulator.setFaults([
      {
        match: { method: "DELETE" },
        fault: { kind: "failOperation", code: "InternalServerError", message: "no luck" },
      },
    ]);
    await expect(client.loadBalancers.delete("rg", "lb", quick)).rejects.toThrow(/no luck/);
    const sizes: (string | undefined)[] = [];
    const compute = new ComputeManagementClient(fakeCredential(), subscription, options());
    for await (const sku of compute.resourceSkus.list({ filter: "location eq 'westeurope'" }))
      if (sku.resourceType === "virtualMachines") sizes.push(sku.name);
    expect(sizes).toContain("Standard_D2s_v5");
  });
});

describe("as a process of its own", () => {
  it("prints its port, logs requests to a file, is administered over HTTP, and ends when told", async () => {
    const folder = mkdtempSync(join(tmpdir(), "arm-"));
    const file = join(folder, "requests.ndjson");
    const child = await launch({
      entry: new URL("../../src/sim/arm/main.ts", import.meta.url),
      args: ["--port", "0", "--requests", file, "--latency", "sync"],
    });
    try {
      const { port } = child.ready as { port: number };
      const base = `http://127.0.0.1:${port}`;
      const call = (method: string, path: string, body?: Json) =>
        fetch(base + path, {
          method,
          headers: { authorization: "Bearer t" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
      await call("PUT", "/_sim/resources", [{ id: vnetId, ...(vnet as object) }]);
      const got = await call("GET", `${vnetId}?api-version=2025-09-01`);
      expect(await got.json()).toMatchObject({ id: vnetId, properties: { provisioningState: "Succeeded" } });
      await call("POST", "/_sim/faults", [
        { match: { pattern: "vnet$" }, fault: { kind: "respond", status: 503, code: "ServerBusy" } },
      ]);
      expect((await call("GET", `${vnetId}?api-version=2025-09-01`)).status).toBe(503);
      const log = (await (await call("GET", "/_sim/requests?since=1")).json()) as {
        count: number;
        requests: { status: number }[];
      };
      expect([log.count, log.requests.map(({ status }) => status)]).toEqual([2, [503]]);
    } finally {
      await child.stop();
    }
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as { status: number })).toMatchObject([
      { status: 200 },
      { status: 503 },
    ]);
    rmSync(folder, { recursive: true });
  });
});

interface Validator {
  validate(write: WriteToValidate): { readonly findings: readonly { readonly level: string }[] };
}

describeWithShared("with the published schemas as validator", () => {
  it("finds nothing in a good body, and the wrong name in a bad one", async () => {
    const tools = join(sharedDir, "tools", "arm-validate");
    const { ArmSchema } = (await import(join(tools, "arm-schema.mjs"))) as {
      ArmSchema: new (folders: readonly string[]) => Validator;
    };
    const schema = new ArmSchema([join(tools, "sdk-types"), join(tools, "types")]);
    const checked = await startArmSimulator({ validate: (write) => schema.validate(write).findings });
    try {
      checked.seed([{ id: group, location }]);
      const put = (body: Json) =>
        fetch(`${checked.url}${vnetId}?api-version=2025-09-01`, {
          method: "PUT",
          body: JSON.stringify(body),
          headers: { authorization: "Bearer t" },
        });
      await put(vnet);
      await put({ location, properties: { adressSpace: {} } });
      const [good, bad] = checked.requests();
      expect(good?.findings).toEqual([]);
      expect(JSON.stringify(bad?.findings)).toContain("adressSpace");
    } finally {
      await checked.stop();
    }
  });
});
