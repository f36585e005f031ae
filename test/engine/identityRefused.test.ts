import { createHttpHeaders, type HttpClient } from "@azure/core-rest-pipeline";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { azure } from "../../src/adapters/azure.ts";
import { createCredentials } from "../../src/adapters/credentials.ts";
import { startTokenServers, type TokenServers } from "../support/identity/tokenServers.ts";
import { hour } from "../support/timers.ts";
import { runBy } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

/** With the real clients: requests for tokens arrive at a local Entra ID, those to Azure at a gate. */

let servers: TokenServers;
beforeAll(async () => {
  servers = await startTokenServers();
});
afterAll(() => servers?.close());
const usual = { answer: undefined as TokenServers["answer"] | undefined };
beforeEach(() => {
  usual.answer ??= servers.answer;
  servers.answer = usual.answer;
  servers.requests.length = 0;
});

const answering = (status: number, code: string, asked: string[]): HttpClient => ({
  sendRequest: (request) => {
    asked.push(`${request.method} ${request.url}`);
    const body = { error: { code, message: "it may not" } };
    return Promise.resolve({ request, status, headers: createHttpHeaders(), bodyAsText: JSON.stringify(body) });
  },
});

const asking = (world: World, arm: HttpClient): World["deps"] => ({
  ...world.deps,
  azure: azure({
    credentials: createCredentials({ transport: servers.transport }),
    transport: arm,
    userAgent: "capstan/test",
    log: () => undefined,
  }),
});

/** In one resource group, because a right may be one to a single group. */
const many = (world: World) =>
  Array.from({ length: 50 }, (_, at) => {
    const key = applyDefaultCluster(world, `c${at}`);
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, resourceGroup: "shared" } }));
    return key;
  });
const networkOf = (world: World, key: ReturnType<typeof applyDefaultCluster>) =>
  conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];

/** 30 s, 1, 2, 4, 8, 16, 32 min, and one to spare for turns that met at the very beginning. */
const mostProbes = 9;

describe("fifty clusters with one identity that is refused", () => {
  it("A83: for its expired secret ask for a token a few times an hour, and Azure never", async () => {
    servers.answer = () => ({
      status: 401,
      body: { error: "invalid_client", error_description: "AADSTS7000222: The client secret keys are expired. s3cret" },
    });
    const world = createWorld();
    world.restless = "the secret stays expired";
    const keys = many(world);
    const asked: string[] = [];
    await runBy(world, asking(world, answering(500, "Never", asked)), hour);
    expect(asked).toEqual([]);
    expect(servers.requests.length).toBeGreaterThanOrEqual(4);
    expect(servers.requests.length).toBeLessThanOrEqual(mostProbes);
    for (const key of keys) {
      const condition = networkOf(world, key);
      expect(condition?.status, key.name).toBe("False");
      expect(condition?.message, key.name).toMatch(/default\/sp \(client .+bb, tenant .+aa\).*AADSTS7000222.*expired/s);
    }
    const told = [world.objects.all(), world.objects.events(), world.logs, world.tables.rows("shared")];
    expect(JSON.stringify(told)).not.toContain("s3cret");
  }, 120_000);

  it.each([
    { status: 401, code: "InvalidAuthenticationToken" },
    { status: 403, code: "AuthorizationFailed" },
  ])(
    "by Azure with $status ask it a few times an hour for the same kind of resource",
    async ({ status, code }) => {
      const world = createWorld();
      world.restless = "the identity stays refused";
      const keys = many(world);
      const asked: string[] = [];
      await runBy(world, asking(world, answering(status, code, asked)), hour);
      expect(asked.length).toBeGreaterThanOrEqual(4);
      expect(asked.length).toBeLessThanOrEqual(mostProbes);
      // A token that was refused is not used again.
      expect(servers.requests.length).toBeLessThanOrEqual(asked.length);
      for (const key of keys) expect(networkOf(world, key), key.name).toMatchObject({ status: "False" });
      for (const key of keys) expect(networkOf(world, key)?.message, key.name).toContain(code);
    },
    120_000,
  );
});
