import { describe, expect, it } from "vitest";
import type { JsonObject, Operation } from "../../../src/core/types.ts";
import type { Arm, ArmAnswer, PollAnswer } from "../../../src/ports.ts";
import { isJsonObject } from "../../../src/wire/json.ts";
import { must } from "./must.ts";

const subscription = "/subscriptions/11111111-1111-1111-1111-111111111111";
const resources = "2025-04-01";
const network = "2026-01-01";

const bodyOf = (answer: ArmAnswer): JsonObject => (isJsonObject(answer.body) ? answer.body : {});

/** Polls an operation to its end, as the engine would, and returns the last answer. */
const toEnd = async (arm: Arm, begun: Operation, target: { path: string; apiVersion: string }): Promise<PollAnswer> => {
  let answer: PollAnswer = { kind: "running", operation: begun, retryAfterSeconds: 0 };
  for (let polls = 0; answer.kind === "running" && polls < 50; polls += 1)
    answer = must(await arm.poll(answer.operation, target));
  return answer;
};

/** Writes and, where Azure works on, waits for the end. */
const settle = async (arm: Arm, path: string, apiVersion: string, body: JsonObject): Promise<ArmAnswer> => {
  const answer = must(await arm.send({ method: "PUT", path, apiVersion, body }));
  if (answer.operation !== undefined)
    expect(await toEnd(arm, answer.operation, { path, apiVersion })).toMatchObject({ kind: "succeeded" });
  return answer;
};

/**
 * What every form of the port to Azure has to do.
 * @param make a port to an empty Azure with the subscription 11111111-1111-1111-1111-111111111111, whose operations end soon
 */
export const armContract = (make: () => Promise<Arm>): void => {
  const group = `${subscription}/resourceGroups/contract`;
  const vnet = `${group}/providers/Microsoft.Network/virtualNetworks/net`;
  const vnetBody = { location: "westeurope", properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] } } };
  const withGroup = async (): Promise<Arm> => {
    const arm = await make();
    await settle(arm, group, resources, { location: "westeurope", tags: { a: "1" } });
    return arm;
  };
  const get = (arm: Arm, path: string, apiVersion: string) => arm.send({ method: "GET", path, apiVersion });

  describe("arm contract", () => {
    it("answers 404 for what is not there", async () => {
      const arm = await make();
      expect(await get(arm, group, resources)).toMatchObject({ ok: false, error: { kind: "gone", status: 404 } });
    });

    it("creates a group, reads it back, and does the rest in one operation", async () => {
      const arm = await withGroup();
      const created = await settle(arm, vnet, network, vnetBody);
      expect(created.status).toBe(201);
      expect(created.correlationId).not.toBe("");
      const read = must(await get(arm, vnet, network));
      expect(read.operation).toBeUndefined();
      expect(bodyOf(read)["properties"]).toMatchObject({
        provisioningState: "Succeeded",
        addressSpace: { addressPrefixes: ["10.0.0.0/16"] },
      });
      expect(read.etag).toEqual(expect.any(String));
    });

    it("gives each call a correlation id of its own", async () => {
      const arm = await withGroup();
      const first = must(await get(arm, group, resources));
      const second = must(await get(arm, group, resources));
      expect(first.correlationId).not.toBe(second.correlationId);
    });

    it("tells what is left and Azure's ids, of answers and of refusals", async () => {
      const arm = await withGroup();
      const read = must(await get(arm, group, resources));
      expect(read.remaining?.whole).toBeGreaterThan(0);
      expect(read.requestId).toEqual(expect.any(String));
      const refused = await get(arm, vnet, network);
      expect(refused).toMatchObject({
        ok: false,
        error: { requestId: expect.any(String), correlationId: expect.any(String) },
      });
      expect(refused.ok ? undefined : refused.error.remaining?.whole).toBeGreaterThan(0);
    });

    it("names an operation relative to the answer", async () => {
      const arm = await withGroup();
      const { operation } = must(await arm.send({ method: "PUT", path: vnet, apiVersion: network, body: vnetBody }));
      expect(operation).toMatchObject({ verb: "PUT", startedMs: 0 });
      expect(operation?.notBeforeMs).toBeGreaterThan(0);
      expect(operation?.notBeforeMs).toBeLessThanOrEqual(600_000);
    });

    it("writes only over the etag it was given", async () => {
      const arm = await withGroup();
      await settle(arm, vnet, network, vnetBody);
      const { etag = "" } = must(await get(arm, vnet, network));
      const write = {
        method: "PUT",
        path: vnet,
        apiVersion: network,
        body: { ...vnetBody, tags: { b: "2" } },
      } as const;
      expect(await arm.send({ ...write, ifMatch: 'W/"00000000-0000-0000-0000-000000000000"' })).toMatchObject({
        ok: false,
        error: { kind: "conflict", status: 412 },
      });
      expect(await arm.send({ ...write, ifMatch: etag })).toMatchObject({ ok: true });
    });

    it("creates only what is not there when asked so", async () => {
      const arm = await withGroup();
      const write = { method: "PUT", path: vnet, apiVersion: network, body: vnetBody, ifNoneMatch: "*" } as const;
      const first = must(await arm.send(write));
      if (first.operation !== undefined) await toEnd(arm, first.operation, { path: vnet, apiVersion: network });
      expect(await arm.send(write)).toMatchObject({ ok: false, error: { status: 412 } });
    });

    it("deletes in an operation that ends, and is content with what is gone", async () => {
      const arm = await withGroup();
      await settle(arm, vnet, network, vnetBody);
      const target = { path: vnet, apiVersion: network };
      const { operation } = must(await arm.send({ method: "DELETE", ...target }));
      if (operation !== undefined) expect(await toEnd(arm, operation, target)).toMatchObject({ kind: "succeeded" });
      expect(await get(arm, vnet, network)).toMatchObject({ ok: false, error: { status: 404 } });
      expect(must(await arm.send({ method: "DELETE", ...target }))).toMatchObject({ status: 204 });
    });

    it("deletes a group with all its content", async () => {
      const arm = await withGroup();
      await settle(arm, vnet, network, vnetBody);
      const target = { path: group, apiVersion: resources };
      const { operation } = must(await arm.send({ method: "DELETE", ...target }));
      if (operation !== undefined) expect(await toEnd(arm, operation, target)).toMatchObject({ kind: "succeeded" });
      expect(await get(arm, group, resources)).toMatchObject({ ok: false, error: { status: 404 } });
      expect(await get(arm, vnet, network)).toMatchObject({ ok: false, error: { status: 404 } });
    });

    it("watches the resource itself when nothing else is known", async () => {
      const arm = await withGroup();
      await settle(arm, vnet, network, vnetBody);
      const target = { path: vnet, apiVersion: network };
      const watch = { style: "resource", startedMs: 0, notBeforeMs: 0 } as const;
      expect(must(await arm.poll({ verb: "PUT", ...watch }, target))).toMatchObject({ kind: "succeeded" });
      const missing = { ...target, path: `${vnet}2` };
      expect(must(await arm.poll({ verb: "DELETE", ...watch }, missing))).toMatchObject({ kind: "succeeded" });
      expect(must(await arm.poll({ verb: "PUT", ...watch }, missing))).toEqual({ kind: "unknown" });
    });

    it("does not know an operation that Azure has forgotten", async () => {
      const arm = await withGroup();
      const url = `https://management.azure.com${subscription}/providers/Microsoft.Network/locations/westeurope/operations/0?api-version=${network}`;
      const operation = { verb: "PUT", style: "asyncOperation", url, startedMs: 0, notBeforeMs: 0 } as const;
      expect(must(await arm.poll(operation, { path: vnet, apiVersion: network }))).toEqual({ kind: "unknown" });
    });

    it("refuses a child without a parent by Azure's own code", async () => {
      const arm = await withGroup();
      const path = `${vnet}/subnets/one`;
      const body = { properties: { addressPrefix: "10.0.1.0/24" } };
      const answer = await arm.send({ method: "PUT", path, apiVersion: network, body });
      expect(answer).toMatchObject({ ok: false, error: { code: "ParentResourceNotFound" } });
    });

    it("lists all pages, filtered by tag", async () => {
      const arm = await withGroup();
      const names = Array.from({ length: 7 }, (_, index) => `asg${index}`);
      for (const name of names) {
        const path = `${group}/providers/Microsoft.Network/applicationSecurityGroups/${name}`;
        const tags: Readonly<Record<string, string>> = name === "asg0" ? {} : { owner: "us" };
        await settle(arm, path, network, { location: "westeurope", tags });
      }
      const list = { method: "GET", path: `${group}/resources`, apiVersion: resources } as const;
      expect(must(await arm.list(list)).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
      const filter = { $filter: "tagName eq 'owner' and tagValue eq 'us'" };
      const found = must(await arm.list({ ...list, query: filter })).map(({ name }) => name);
      expect(new Set(found)).toEqual(new Set(names.slice(1)));
    });

    it("refuses a path that steps out of itself", async () => {
      const arm = await withGroup();
      for (const path of [`${group}/../other`, `${group}/%2E%2e/other`, "relative", "//elsewhere.example/x"])
        expect(await get(arm, path, resources)).toMatchObject({ ok: false, error: { code: "BadPath" } });
    });
  });
};
