import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { armOver } from "../../src/adapters/arm.ts";
import { type ArmHttpOptions, openArmHttp } from "../../src/adapters/armHttp.ts";
import { armToken } from "../../src/adapters/armToken.ts";
import { localTransport } from "../../src/adapters/armTransport.ts";
import { azure } from "../../src/adapters/azure.ts";
import { clouds } from "../../src/adapters/clouds.ts";
import { createCredentials } from "../../src/adapters/credentials.ts";
import type { CredentialSpec } from "../../src/core/identity.ts";
import type { Arm } from "../../src/ports.ts";
import { type ArmSimulator, startArmSimulator } from "../../src/sim/arm/startArmSimulator.ts";
import { armContract } from "../support/contracts/armContract.ts";
import { must } from "../support/contracts/must.ts";

const subscription = "/subscriptions/11111111-1111-1111-1111-111111111111";
const group = `${subscription}/resourceGroups/g`;
const ip = `${group}/providers/Microsoft.Network/publicIPAddresses/ip`;
const ipBody = {
  location: "westeurope",
  sku: { name: "Standard" },
  properties: { publicIPAllocationMethod: "Static" },
};
const put = { method: "PUT", path: ip, apiVersion: "2026-01-01", body: ipBody } as const;

let simulator: ArmSimulator;
beforeAll(async () => {
  simulator = await startArmSimulator();
});
afterAll(() => simulator.stop());
beforeEach(() => simulator.reset());

const options = async (): Promise<Omit<ArmHttpOptions, "token" | "cloud">> => ({
  transport: await localTransport(simulator.url),
  userAgent: "capstan/test",
  log: () => undefined,
});
const connect = async (): Promise<Arm> => {
  const getToken = () => Promise.resolve({ token: "tester", expiresOnTimestamp: Date.now() + 3_600_000 });
  const token = armToken({ getToken }, "scope");
  return armOver(await openArmHttp({ ...(await options()), cloud: clouds.AzurePublicCloud, token }));
};

armContract(async () => {
  simulator.reset();
  simulator.configure({ pageSize: 3 });
  return connect();
});

describe("the ARM client against the simulator", () => {
  it("sends one request a call, whatever the answer, and tells of no answer without a status", async () => {
    simulator.seed([{ id: group, body: { location: "westeurope" } }]);
    const arm = await connect();
    const respond = { kind: "respond", status: 503, code: "ServiceUnavailable", message: "later" } as const;
    for (const fault of [respond, { kind: "drop", when: "before" }, { ...respond, status: 429 }] as const) {
      simulator.setFaults([{ match: { method: "PUT" }, fault }]);
      const before = simulator.requests().length;
      const answer = await arm.send(put);
      expect(simulator.requests().length - before).toBe(1);
      expect(answer.ok).toBe(false);
      const status = answer.ok ? 0 : answer.error.status;
      expect(status).toBe(fault.kind === "drop" ? undefined : fault.status);
    }
  });

  it("hands over Retry-After and the innermost code", async () => {
    simulator.seed([{ id: group, body: { location: "westeurope" } }]);
    const arm = await connect();
    const details = [{ code: "ReferencedResourceNotProvisioned", message: "the subnet is not there yet" }];
    simulator.setFaults([
      {
        match: { method: "PUT" },
        fault: {
          kind: "respond",
          status: 429,
          code: "RetryableError",
          message: "retry",
          details,
          retryAfterSeconds: 7,
        },
      },
    ]);
    expect(await arm.send(put)).toMatchObject({
      error: { kind: "conflict", code: "ReferencedResourceNotProvisioned", status: 429, retryAfterSeconds: 7 },
    });
  });

  it("tells how a failed operation ended, and keeps one whose poll fails", async () => {
    simulator.seed([{ id: group, body: { location: "westeurope" } }]);
    const arm = await connect();
    simulator.setFaults([
      {
        match: { method: "PUT" },
        fault: { kind: "failOperation", code: "AnotherOperationInProgress", message: "busy" },
      },
      {
        match: { method: "GET", path: "/operations/" },
        fault: { kind: "respond", status: 500, code: "X", message: "x" },
      },
    ]);
    const { operation } = must(await arm.send(put));
    if (operation === undefined) throw new Error("no operation");
    expect(operation).toMatchObject({ style: "asyncOperation" });
    expect(await arm.poll(operation, put)).toMatchObject({ ok: false, error: { status: 500 } });
    expect(await arm.poll(operation, put)).toMatchObject({
      ok: true,
      value: { kind: "failed", failure: { kind: "conflict", code: "AnotherOperationInProgress" } },
    });
  });

  it("lets the simulator deny one of two identities by its token", async () => {
    const credentials = createCredentials({ staticTokens: true });
    const port = azure({ ...(await options()), credentials });
    const spec = (clientId: string): CredentialSpec => ({
      kind: "clientSecret",
      cloud: "AzurePublicCloud",
      tenantId: "t",
      clientId,
      clientSecret: "s",
      identity: "default/id",
      usedBy: "default",
    });
    simulator.configure({ denied: [{ identity: "poor" }] });
    const read = { method: "GET", path: group, apiVersion: "2025-04-01" } as const;
    expect(await must(await port.connect(spec("rich"))).send(read)).toMatchObject({ error: { status: 404 } });
    expect(await must(await port.connect(spec("poor"))).send(read)).toMatchObject({
      error: { kind: "auth", code: "AuthorizationFailed", status: 403 },
    });
  });
});
