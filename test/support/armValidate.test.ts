import { expect, it } from "vitest";
import type { Json } from "../../src/wire/json.ts";
import { type ArmRequest, armFindings } from "./armValidate.ts";
import { describeWithShared } from "./shared.ts";

const group = "/subscriptions/s/resourceGroups/g";
const put = (path: string, apiVersion: string, body: Json): ArmRequest => ({ method: "PUT", path, apiVersion, body });
const balancer = (properties: Json): ArmRequest =>
  put(`${group}/providers/Microsoft.Network/loadBalancers/lb`, "2026-01-01", { location: "e", properties });

describeWithShared("armFindings", () => {
  it.each<{ when: string; request: ArmRequest; codes: readonly string[] }>([
    {
      when: "a right body",
      request: balancer({ probes: [{ name: "p", properties: { protocol: "Tcp", port: 1 } }] }),
      codes: [],
    },
    { when: "an unknown property", request: balancer({ frontendIpConfigurations: [] }), codes: ["unknownProperty"] },
    { when: "a read-only one", request: balancer({ provisioningState: "Succeeded" }), codes: ["readOnlySet"] },
    {
      when: "a missing one",
      request: balancer({ probes: [{ name: "p", properties: { port: 1 } }] }),
      codes: ["missingRequired"],
    },
    {
      when: "an api-version without schema",
      request: put(group, "2031-01-01", { location: "e" }),
      codes: ["versionFallback"],
    },
    { when: "no api-version", request: { method: "GET", path: group }, codes: ["apiVersionMissing"] },
    { when: "a DELETE", request: { method: "DELETE", path: `${group}?api-version=2025-04-01` }, codes: [] },
  ])("$when: $codes", async ({ request, codes }) => {
    const findings = await armFindings([request]);
    expect(findings.map(({ code }) => code)).toEqual(codes);
  });
  it("names the request and the place", async () => {
    const findings = await armFindings([balancer({}), balancer({ probes: [{ name: 1 }] })]);
    expect(findings).toEqual([
      expect.objectContaining({
        request: `PUT ${group}/providers/Microsoft.Network/loadBalancers/lb`,
        level: "error",
        at: "properties.probes[0].name",
      }),
    ]);
  });
});
