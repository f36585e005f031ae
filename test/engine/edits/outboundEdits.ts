import type { JsonObject } from "../../../src/core/types.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import { type Carried, internal, network } from "./editCase.ts";
import { field, front, meansNothing, outbound, write } from "./loadBalancerParts.ts";

const nodeOut = (part: JsonObject | null): JsonObject => network({ nodeOutboundLB: part });
const cpOut = (part: JsonObject): JsonObject => network({ controlPlaneOutboundLB: part });

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

/** Edits of load balancers that only lead out, which are carried out. */
export const outboundEdits: readonly Carried[] = [
  ...nodeLb,
  ...leadingOut(
    "controlPlaneOutboundLB",
    "c1-outbound-lb",
    "pip-c1-controlplane-outbound",
    network({ ...(internal["networkSpec"] as JsonObject), controlPlaneOutboundLB: {} }),
    cpOut,
  ),
];
