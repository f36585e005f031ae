import type { JsonObject } from "../../../src/core/types.ts";
import { type Carried, internal, network } from "./editCase.ts";
import { field, front, meansNothing, outbound, write } from "./loadBalancerParts.ts";

const apiServer = (part: JsonObject): JsonObject => network({ apiServerLB: part });
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

/** Edits of the load balancer of the API server that are carried out. */
export const apiServerEdits: readonly Carried[] = [
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
