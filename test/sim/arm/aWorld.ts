import { createArmState } from "../../../src/sim/arm/armState.ts";
import { handle } from "../../../src/sim/arm/handle.ts";
import { type Json, textAt } from "../../../src/sim/arm/json.ts";
import type { ArmSimulatorOptions } from "../../../src/sim/arm/options.ts";

export const subscription = "00000000-0000-4000-8000-000000000001";
export const group = `/subscriptions/${subscription}/resourceGroups/rg`;
export const network = `${group}/providers/Microsoft.Network`;
export const compute = `${group}/providers/Microsoft.Compute`;

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly apiVersion?: string | undefined;
  readonly token?: string | undefined;
}

export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  /** Code of an error answer. */
  readonly code: string;
  readonly dropped: boolean;
  readonly delayMs: number;
}

/** A simulated Azure on a clock that only the test moves. */
export const aWorld = (options: ArmSimulatorOptions = {}) => {
  const state = createArmState({ signedUrls: false, ...options });
  let nowMs = Date.parse("2026-01-01T00:00:00Z");
  const send = (method: string, path: string, body?: Json, call: Call = {}): Got => {
    const { apiVersion = "2025-09-01", token = "operator", headers = {} } = call;
    const url =
      /[?&]api-version=/.test(path) || apiVersion === ""
        ? path
        : `${path}${path.includes("?") ? "&" : "?"}api-version=${apiVersion}`;
    const reply = handle(
      state,
      {
        method,
        url,
        headers: { ...(token === "" ? {} : { authorization: `Bearer ${token}` }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      nowMs,
    );
    if (reply.kind === "dropped")
      return { status: 0, headers: {}, body: undefined, code: "", dropped: true, delayMs: reply.delayMs };
    return {
      status: reply.status,
      headers: reply.headers,
      body: reply.body,
      code: textAt(reply.body, "error", "code"),
      dropped: false,
      delayMs: reply.delayMs,
    };
  };
  return {
    state,
    now: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
    send,
    get: (path: string, call?: Call) => send("GET", path, undefined, call),
    put: (path: string, body: Json, call?: Call) => send("PUT", path, body, call),
    patch: (path: string, body: Json, call?: Call) => send("PATCH", path, body, call),
    del: (path: string, call?: Call) => send("DELETE", path, undefined, call),
    post: (path: string, body?: Json, call?: Call) => send("POST", path, body, call),
    /** The operation that an answer names. */
    poll: (answer: Got) => send("GET", answer.headers["azure-asyncoperation"] ?? answer.headers["location"] ?? ""),
  };
};

export type TestWorld = ReturnType<typeof aWorld>;

export const location = "eastus";

/** A world with a resource group. */
export const aGroup = (options: ArmSimulatorOptions = {}): TestWorld => {
  const world = aWorld(options);
  world.put(group, { location });
  return world;
};

export const vnetId = `${network}/virtualNetworks/vnet`;
export const subnetId = `${vnetId}/subnets/node`;
export const nsgId = `${network}/networkSecurityGroups/nsg`;
export const pipId = `${network}/publicIPAddresses/pip`;
export const lbId = `${network}/loadBalancers/lb`;
export const nicId = `${network}/networkInterfaces/nic`;
export const vmId = `${compute}/virtualMachines/vm`;

export const bodies = {
  vnet: (...prefixes: string[]): Json => ({
    location,
    properties: { addressSpace: { addressPrefixes: prefixes.length === 0 ? ["10.0.0.0/8"] : prefixes } },
  }),
  subnet: (addressPrefix = "10.1.0.0/16", more: Record<string, Json> = {}): Json => ({
    properties: { addressPrefix, ...more },
  }),
  pip: (more: Record<string, Json> = {}): Json => ({
    location,
    sku: { name: "Standard" },
    properties: { publicIPAllocationMethod: "Static", ...more },
  }),
  rule: (priority: number, more: Record<string, Json> = {}): Json => ({
    priority,
    direction: "Inbound",
    access: "Allow",
    protocol: "Tcp",
    sourceAddressPrefix: "*",
    sourcePortRange: "*",
    destinationAddressPrefix: "*",
    destinationPortRange: "22",
    ...more,
  }),
  lb: (): Json => ({
    location,
    sku: { name: "Standard" },
    properties: {
      frontendIPConfigurations: [{ name: "front", properties: { publicIPAddress: { id: pipId } } }],
      backendAddressPools: [{ name: "pool" }],
      probes: [{ name: "probe", properties: { protocol: "Https", port: 6443, requestPath: "/readyz" } }],
      loadBalancingRules: [
        {
          name: "api",
          properties: {
            protocol: "Tcp",
            frontendPort: 6443,
            backendPort: 6443,
            disableOutboundSnat: true,
            frontendIPConfiguration: { id: `${lbId}/frontendIPConfigurations/front` },
            backendAddressPool: { id: `${lbId}/backendAddressPools/pool` },
            probe: { id: `${lbId}/probes/probe` },
          },
        },
      ],
      outboundRules: [
        {
          name: "out",
          properties: {
            protocol: "All",
            frontendIPConfigurations: [{ id: `${lbId}/frontendIPConfigurations/front` }],
            backendAddressPool: { id: `${lbId}/backendAddressPools/pool` },
          },
        },
      ],
    },
  }),
  natRule: (frontendPort: number): Json => ({
    properties: {
      protocol: "Tcp",
      frontendPort,
      backendPort: 22,
      frontendIPConfiguration: { id: `${lbId}/frontendIPConfigurations/front` },
    },
  }),
  nic: (more: Record<string, Json> = {}): Json => ({
    location,
    properties: { ipConfigurations: [{ name: "ip", properties: { subnet: { id: subnetId }, ...more } }] },
  }),
  vm: (more: Record<string, Json> = {}): Json => ({
    location,
    properties: {
      hardwareProfile: { vmSize: "Standard_D2s_v3" },
      osProfile: { computerName: "vm", adminUsername: "capi", customData: "c2VjcmV0" },
      storageProfile: { osDisk: { createOption: "FromImage", name: "vm_OSDisk" } },
      networkProfile: { networkInterfaces: [{ id: nicId }] },
      ...more,
    },
  }),
};

/** A group with virtual network and subnet. */
export const aNetwork = (options: ArmSimulatorOptions = {}): TestWorld => {
  const world = aGroup(options);
  world.put(vnetId, bodies.vnet());
  world.advance(10_000);
  world.put(subnetId, bodies.subnet());
  world.advance(10_000);
  return world;
};

/** A network with a load balancer, a NIC in its pool, and a machine. */
export const aMachine = (options: ArmSimulatorOptions = {}): TestWorld => {
  const world = aNetwork(options);
  world.put(pipId, bodies.pip());
  world.advance(10_000);
  world.put(lbId, bodies.lb());
  world.advance(10_000);
  world.put(nicId, bodies.nic({ loadBalancerBackendAddressPools: [{ id: `${lbId}/backendAddressPools/pool` }] }));
  world.advance(10_000);
  world.put(vmId, bodies.vm());
  world.advance(600_000);
  return world;
};
