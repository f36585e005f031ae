import type { JsonObject } from "../../../src/core/types.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import { type Carried, internal, network } from "./editCase.ts";

const apiServer = (part: JsonObject | null): JsonObject => network({ apiServerLB: part });
const nodeOut = (part: JsonObject | null): JsonObject => network({ nodeOutboundLB: part });
const cpOut = (part: JsonObject | null): JsonObject => network({ controlPlaneOutboundLB: part });
const field = (lb: string, name: string): string => `networkSpec.${lb}.${name}`;
const write = (lb: string, ...paths: readonly string[]): string =>
  `PUT loadBalancers/${lb}: ${paths
    .map((path) => `properties.${path}`)
    .toSorted()
    .join(", ")}`;
const front = "frontendIPConfigurations";
const outbound = "outboundRules[OutboundNATAllProtocols].properties";
const https = "loadBalancingRules[LBRuleHTTPS].properties";

const ports = (...additionalAPIServerLBPorts: readonly JsonObject[]): JsonObject =>
  network({ additionalAPIServerLBPorts });
const rke2 = { name: "rke2", port: 9345 };
const konnectivity = { name: "konnectivity", port: 8132 };

const publicFrontend = (name: string, publicIP: JsonObject = {}): JsonObject => ({
  name,
  publicIP: { name: "pip-c1-apiserver", ...publicIP },
});

/** The name that the address has by default. */
const hashed = "c1-30dc860e.eastus.cloudapp.azure.com";

/** Fields that mean nothing in Azure. */
const meansNothing = (lb: string, from: JsonObject, patch: (part: JsonObject) => JsonObject): Carried => ({
  title: `what says nothing of ${lb}`,
  fields: [field(lb, "id"), field(lb, "sku")],
  from,
  steps: [
    [patch({ id: "/x", sku: "Standard" }), []],
    [patch({ id: null, sku: "" }), []],
    [patch({ sku: null }), []],
  ],
});

const outFrontend = (name: string, ip: string, more: JsonObject = {}): JsonObject => ({
  name,
  publicIP: { name: ip, ...more },
});

/** The same edits of both load balancers that only lead out; the names that each has by default. */
const leadingOut = (
  lb: string,
  name: string,
  pip: string,
  from: JsonObject,
  patch: (part: JsonObject) => JsonObject,
): readonly Carried[] => [
  meansNothing(lb, from, patch),
  {
    title: `the type of ${lb}, which is always public`,
    fields: [field(lb, "type")],
    from,
    steps: [[patch({ type: "Public" }), []]],
  },
  {
    title: `the default frontend of ${lb}, written down`,
    fields: [field(lb, "frontendIPs[].name"), field(lb, "frontendIPs[].publicIP.name")],
    from,
    steps: [[patch({ frontendIPs: [outFrontend(`${name}-frontEnd`, pip)] }), []]],
  },
  {
    title: `another frontend of ${lb}`,
    fields: [field(lb, "frontendIPs[].name")],
    from: patched(from, patch({ frontendIPs: [outFrontend("one", "ip-one")] })),
    steps: [
      [
        patch({ frontendIPs: [outFrontend("two", "ip-one")] }),
        [write(name, `${front}[one]`, `${front}[two]`, `${outbound}.frontendIPConfigurations`)],
      ],
    ],
  },
  {
    title: `another address of ${lb}`,
    fields: [field(lb, "frontendIPs[].publicIP.name")],
    from: patched(from, patch({ frontendIPs: [outFrontend("one", "ip-one")] })),
    steps: [
      [
        patch({ frontendIPs: [outFrontend("one", "ip-two")] }),
        [
          "PUT publicIPAddresses/ip-two (new)",
          write(name, `${front}[one].properties.publicIPAddress.id`),
          "DELETE publicIPAddresses/ip-one",
        ],
      ],
    ],
  },
  {
    title: `the DNS name of an address of ${lb}`,
    fields: [field(lb, "frontendIPs[].publicIP.dnsName")],
    from: patched(from, patch({ frontendIPs: [outFrontend("one", "ip-one")] })),
    steps: [
      [
        patch({ frontendIPs: [outFrontend("one", "ip-one", { dnsName: "out.eastus.cloudapp.azure.com" })] }),
        ["PUT publicIPAddresses/ip-one: properties.dnsSettings"],
      ],
      [
        patch({ frontendIPs: [outFrontend("one", "ip-one")] }),
        ["PUT publicIPAddresses/ip-one: properties.dnsSettings"],
      ],
    ],
  },
  {
    title: `a private address beside the public one of ${lb}`,
    fields: [field(lb, "frontendIPs[].privateIP")],
    from: patched(from, patch({ frontendIPs: [outFrontend("one", "ip-one")] })),
    steps: [[patch({ frontendIPs: [{ ...outFrontend("one", "ip-one"), privateIP: "10.0.0.9" }] }), []]],
  },
];

const nodeLb: readonly Carried[] = [
  ...leadingOut("nodeOutboundLB", "c1", "pip-c1-node-outbound", nodeOut({}), nodeOut),
  {
    title: "a load balancer for nodes comes and goes",
    fields: [field("nodeOutboundLB", "name")],
    steps: [
      [nodeOut({ name: "out" }), ["PUT publicIPAddresses/pip-c1-node-outbound (new)", "PUT loadBalancers/out (new)"]],
      [nodeOut(null), ["DELETE loadBalancers/out", "DELETE publicIPAddresses/pip-c1-node-outbound"]],
    ],
  },
  {
    title: "the idle time-out of the nodes' load balancer",
    fields: [field("nodeOutboundLB", "idleTimeoutInMinutes")],
    from: nodeOut({}),
    steps: [
      [nodeOut({ idleTimeoutInMinutes: 4 }), []],
      [nodeOut({ idleTimeoutInMinutes: 15 }), [write("c1", `${outbound}.idleTimeoutInMinutes`)]],
      [nodeOut({ idleTimeoutInMinutes: null }), [write("c1", `${outbound}.idleTimeoutInMinutes`)]],
    ],
  },
  {
    title: "the pool of the nodes' load balancer",
    fields: [field("nodeOutboundLB", "backendPool.name")],
    from: nodeOut({}),
    steps: [
      [nodeOut({ backendPool: { name: "c1-outboundBackendPool" } }), []],
      [
        nodeOut({ backendPool: { name: "other" } }),
        [
          write(
            "c1",
            "backendAddressPools[c1-outboundBackendPool]",
            "backendAddressPools[other]",
            `${outbound}.backendAddressPool.id`,
          ),
        ],
      ],
    ],
  },
  {
    title: "no way out for nodes any more, and one again",
    fields: [field("nodeOutboundLB", "frontendIPsCount")],
    from: nodeOut({}),
    steps: [
      [nodeOut({ frontendIPsCount: 1 }), []],
      [
        nodeOut({ frontendIPsCount: 0 }),
        [
          write("c1", `${front}[c1-frontEnd]`, "outboundRules[OutboundNATAllProtocols]"),
          "DELETE publicIPAddresses/pip-c1-node-outbound",
        ],
      ],
      [
        nodeOut({ frontendIPsCount: null }),
        [
          "PUT publicIPAddresses/pip-c1-node-outbound (new)",
          write("c1", `${front}[c1-frontEnd]`, "outboundRules[OutboundNATAllProtocols]"),
        ],
      ],
    ],
  },
  {
    title: "the number of the nodes' ways out",
    fields: [field("nodeOutboundLB", "frontendIPsCount")],
    from: nodeOut({ frontendIPsCount: 2 }),
    steps: [
      [
        nodeOut({ frontendIPsCount: 3 }),
        [
          "PUT publicIPAddresses/pip-c1-node-outbound-3 (new)",
          write("c1", `${front}[c1-frontEnd-3]`, `${outbound}.frontendIPConfigurations`),
        ],
      ],
      [
        nodeOut({ frontendIPsCount: 2 }),
        [
          write("c1", `${front}[c1-frontEnd-3]`, `${outbound}.frontendIPConfigurations`),
          "DELETE publicIPAddresses/pip-c1-node-outbound-3",
        ],
      ],
    ],
  },
];

const apiServerLb: readonly Carried[] = [
  meansNothing("apiServerLB", {}, apiServer),
  {
    title: "the default frontend of the API server, written down",
    fields: [
      field("apiServerLB", "frontendIPs[].name"),
      field("apiServerLB", "frontendIPs[].publicIP.name"),
      field("apiServerLB", "frontendIPs[].publicIP.dnsName"),
      field("apiServerLB", "frontendIPsCount"),
    ],
    steps: [
      [apiServer({ frontendIPs: [publicFrontend("c1-public-lb-frontEnd")], frontendIPsCount: 1 }), []],
      [
        apiServer({ frontendIPs: [publicFrontend("c1-public-lb-frontEnd", { dnsName: hashed })], frontendIPsCount: 1 }),
        [],
      ],
      [apiServer({ frontendIPs: null, frontendIPsCount: null }), []],
    ],
  },
  {
    title: "another frontend of the API server",
    fields: [field("apiServerLB", "frontendIPs[].name")],
    steps: [
      [
        apiServer({ frontendIPs: [publicFrontend("front")] }),
        [
          write(
            "c1-public-lb",
            `${front}[c1-public-lb-frontEnd]`,
            `${front}[front]`,
            `${https}.frontendIPConfiguration.id`,
            `${outbound}.frontendIPConfigurations`,
          ),
        ],
      ],
    ],
  },
  {
    title: "the private address beside a public API server",
    fields: [field("apiServerLB", "frontendIPs[].privateIP")],
    from: apiServer({ frontendIPs: [publicFrontend("front")] }),
    steps: [
      [
        apiServer({ frontendIPs: [publicFrontend("front"), { name: "inside", privateIP: "10.0.0.50" }] }),
        ["PUT loadBalancers/c1-public-lb-internal (new)"],
      ],
    ],
  },
  {
    title: "the frontend of a private API server",
    fields: [field("apiServerLB", "frontendIPs[].name")],
    from: internal,
    steps: [
      [apiServer({ frontendIPs: [{ name: "c1-internal-lb-frontEnd", privateIP: "10.0.0.100" }] }), []],
      [
        apiServer({ frontendIPs: [{ name: "front", privateIP: "10.0.0.100" }] }),
        [
          write(
            "c1-internal-lb",
            `${front}[c1-internal-lb-frontEnd]`,
            `${front}[front]`,
            `${https}.frontendIPConfiguration.id`,
          ),
        ],
      ],
    ],
  },
  {
    title: "the pool of the API server",
    fields: [field("apiServerLB", "backendPool.name")],
    steps: [
      [apiServer({ backendPool: { name: "c1-public-lb-backendPool" } }), []],
      [
        apiServer({ backendPool: { name: "other" } }),
        [
          write(
            "c1-public-lb",
            "backendAddressPools[c1-public-lb-backendPool]",
            "backendAddressPools[other]",
            `${https}.backendAddressPool.id`,
            `${outbound}.backendAddressPool.id`,
          ),
        ],
      ],
    ],
  },
  {
    title: "further ports of the API server",
    fields: ["networkSpec.additionalAPIServerLBPorts[].name", "networkSpec.additionalAPIServerLBPorts[].port"],
    steps: [
      [ports(rke2), [write("c1-public-lb", "loadBalancingRules[rke2]")]],
      [ports(konnectivity, rke2), [write("c1-public-lb", "loadBalancingRules[konnectivity]")]],
      [ports(rke2, konnectivity), []],
      [
        ports({ ...rke2, port: 9346 }, konnectivity),
        [
          write(
            "c1-public-lb",
            "loadBalancingRules[rke2].properties.backendPort",
            "loadBalancingRules[rke2].properties.frontendPort",
          ),
        ],
      ],
      [
        ports({ name: "renamed", port: 9346 }, konnectivity),
        [write("c1-public-lb", "loadBalancingRules[renamed]", "loadBalancingRules[rke2]")],
      ],
      [
        network({ additionalAPIServerLBPorts: null }),
        [write("c1-public-lb", "loadBalancingRules[konnectivity]", "loadBalancingRules[renamed]")],
      ],
    ],
  },
];

/** Edits of load balancers that are carried out. */
export const loadBalancerEdits: readonly Carried[] = [
  ...apiServerLb,
  ...nodeLb,
  ...leadingOut(
    "controlPlaneOutboundLB",
    "c1-outbound-lb",
    "pip-c1-controlplane-outbound",
    network({ ...(internal["networkSpec"] as JsonObject), controlPlaneOutboundLB: {} }),
    cpOut,
  ),
];
