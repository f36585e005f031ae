import { textAt, valueAt } from "../../../src/api/json.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { eventually } from "./eventually.ts";
import { aCluster, aNamespace, anAzureCluster, anIdentity, type Place } from "./manifests.ts";
import { apply, azureClustersIn, conditionOf, patchCluster } from "./objects.ts";
import { rowOf } from "./rows.ts";
import type { Scene } from "./scene.ts";

/** Many clusters of one namespace and one identity, as small as a cluster can be. */
export interface Crowd {
  readonly namespace: string;
  readonly places: readonly Place[];
}

const wide = (n: number): string => String(n).padStart(3, "0");

export const aCrowd = (namespace: string, count: number): Crowd => ({
  namespace,
  places: Array.from({ length: count }, (_, at) => ({ namespace, name: `c${wide(at)}` })),
});

/** What is asked of a member: a tag on all that it has, and a port that its nodes are reached on. */
export interface Wish {
  readonly team: string;
  readonly port: number;
}

export const firstWish: Wish = { team: "none", port: 1_000 };

const nodeSubnet = (port: number): JsonObject => ({
  name: "nodes",
  role: "node",
  cidrBlocks: ["10.0.0.0/16"],
  securityGroup: {
    name: "nodes-nsg",
    securityRules: [
      {
        name: "asked",
        description: "asked for",
        priority: 2_000,
        protocol: "Tcp",
        direction: "Inbound",
        source: "*",
        sourcePorts: "*",
        destination: "*",
        destinationPorts: String(port),
        action: "Allow",
      },
    ],
  },
});

/** The part of the spec that says a wish; a merge patch of one wish over another is the other. */
const specOf = ({ team, port }: Wish): JsonObject => ({
  additionalTags: { team },
  networkSpec: { subnets: [nodeSubnet(port)] },
});

/** Without control plane: a group, a network with one subnet, and what that needs. */
const member = (crowd: Crowd, place: Place): JsonObject => {
  const { namespace } = crowd;
  const kind = "AzureClusterIdentity";
  return anAzureCluster(place, {
    ...specOf(firstWish),
    controlPlaneEnabled: false,
    controlPlaneEndpoint: { host: "elsewhere.example.com", port: 6443 },
    identityRef: {
      apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
      kind,
      namespace,
      name: crowdIdentity,
    },
  });
};

const crowdIdentity = "crowd";

export const applyCrowd = async (scene: Scene, crowd: Crowd): Promise<void> => {
  const { namespace, places } = crowd;
  await apply(scene, [aNamespace(namespace), anIdentity({ namespace, name: crowdIdentity })]);
  for (let from = 0; from < places.length; from += 50)
    await apply(
      scene,
      places.slice(from, from + 50).flatMap((place) => [aCluster(place), member(crowd, place)]),
    );
};

/** Makes this the wish of a member. Fails with the server's message. */
export const patchMember = (scene: Scene, place: Place, wish: Wish): Promise<void> =>
  patchCluster(scene, place, { spec: specOf(wish) });

type Member = Awaited<ReturnType<typeof azureClustersIn>>[number];

const isSettled = async (scene: Scene, { namespace }: Crowd, { metadata, status }: Member): Promise<boolean> => {
  const { name, generation } = metadata;
  const ready = conditionOf({ status: status ?? {} }, "Ready");
  if (ready === undefined || textAt(ready, "status") !== "True") return false;
  const row = await rowOf(scene, { kind: "AzureCluster", namespace, name });
  return row !== undefined && !row.dirty && row.seen?.generation === generation && row.why.human === false;
};

/** Waits until every member is ready for its present spec. */
export const crowdSettled = (scene: Scene, crowd: Crowd, timeoutMs: number): Promise<unknown> =>
  eventually(
    `all of ${crowd.namespace} are settled`,
    async () => {
      const members = await azureClustersIn(scene, crowd.namespace);
      const waiting: string[] = [];
      for (const one of members) if (!(await isSettled(scene, crowd, one))) waiting.push(one.metadata.name);
      if (waiting.length > 0) throw new Error(`${waiting.length} are not: ${waiting.slice(0, 10).join(", ")}`);
      return members.length === crowd.places.length;
    },
    timeoutMs,
  );

/** What Azure shows of a wish. */
export const wishIn = (group: readonly JsonObject[]): Wish => {
  const typed = (type: string): JsonObject | undefined => group.find((one) => textAt(one, "type") === type);
  const rules = valueAt(typed("Microsoft.Network/networkSecurityGroups"), "properties", "securityRules");
  const [asked] = (Array.isArray(rules) ? (rules as readonly JsonObject[]) : []).filter(
    (rule) => textAt(rule, "name") === "asked",
  );
  const teams = new Set(group.flatMap((one) => textAt(one, "tags", "team") ?? []));
  return { team: [...teams].join(" and "), port: Number(textAt(asked, "properties", "destinationPortRange")) };
};
