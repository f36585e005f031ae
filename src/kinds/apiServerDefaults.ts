import type { FrontendIpSpec, LoadBalancerSpec } from "../api/cluster/loadBalancer.ts";
import type { PublicIpSpec } from "../api/cluster/network.ts";
import { apiServerHost } from "./apiServerHost.ts";
import type { CompleteLoadBalancer } from "./complete.ts";
import { given } from "./given.ts";
import { names } from "./names.ts";
import type { ClusterFacts } from "./settled.ts";

/** Idle time-out of load balancing rules in minutes, Azure's own default. */
const idleTimeout = 4;

/** Address of an internal API server: inside the default control-plane subnet. */
const privateIP = "10.0.0.100";

/** Whether the API server is reached from inside only. */
export const isInternal = (lb: LoadBalancerSpec | undefined): boolean => given(lb?.type) === "Internal";

/** What every load balancer has, whatever it is for. */
export const withSettings = (lb: LoadBalancerSpec, name: string) => ({
  ...lb,
  name,
  sku: given(lb.sku) ?? "Standard",
  type: given(lb.type) ?? "Public",
  idleTimeoutInMinutes: lb.idleTimeoutInMinutes ?? idleTimeout,
});

const publicAddress = (facts: ClusterFacts, ip: Partial<PublicIpSpec>): PublicIpSpec => {
  const name = given(ip.name) ?? names.publicIp.apiServer(facts.name);
  return { ...ip, name, dnsName: given(ip.dnsName) ?? apiServerHost({ ...facts, publicIp: name }) };
};

/** One frontend leads in from outside; one that is listed with a private address leads in from inside. */
const publicFrontends = (
  facts: ClusterFacts,
  listed: readonly FrontendIpSpec[],
  lbName: string,
): readonly FrontendIpSpec[] => {
  const isOutside = ({ publicIP }: FrontendIpSpec): boolean => publicIP !== undefined;
  const all = listed.some(isOutside) ? listed : [...listed, { name: names.frontend(lbName), publicIP: { name: "" } }];
  const outside = all.find(isOutside);
  return all.map((frontend) =>
    frontend === outside
      ? {
          ...frontend,
          name: given(frontend.name) ?? names.frontend(lbName),
          publicIP: publicAddress(facts, frontend.publicIP ?? {}),
        }
      : frontend,
  );
};

/** One frontend leads in, at a private address. */
const privateFrontends = (listed: readonly FrontendIpSpec[], lbName: string): readonly FrontendIpSpec[] => {
  const [first = { name: names.frontend(lbName) }, ...others] = listed;
  return listed.some((it) => given(it.privateIP) !== undefined) ? listed : [{ ...first, privateIP }, ...others];
};

/** The load balancer of the API server with everything that its spec leaves unsaid. */
export const completeApiServerLB = (facts: ClusterFacts, lb: LoadBalancerSpec): CompleteLoadBalancer => {
  const internal = isInternal(lb);
  const kind = internal ? names.loadBalancer.internalApiServer : names.loadBalancer.publicApiServer;
  const name = given(lb.name) ?? kind(facts.name);
  const listed = lb.frontendIPs ?? [];
  return {
    ...withSettings(lb, name),
    frontendIPs: internal ? privateFrontends(listed, name) : publicFrontends(facts, listed, name),
    backendPool: { name: given(lb.backendPool?.name) ?? names.backendPool.apiServer(name) },
  };
};
