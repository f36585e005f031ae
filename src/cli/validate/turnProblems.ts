import { parseAzureManagedControlPlane } from "../../api/aks/azureManagedControlPlane.ts";
import { isObject, textAt, valueAt } from "../../api/json.ts";
import { parseAzureMachine } from "../../api/machine/azureMachine.ts";
import { parseAzureMachinePool } from "../../api/machine/azureMachinePool.ts";
import { parseAzureMachineTemplate } from "../../api/machine/azureMachineTemplate.ts";
import type { Problem } from "../../core/kind.ts";
import type { Json, KubeObject } from "../../core/types.ts";
import { checkControlPlane } from "../../kinds/aks/checkControlPlane.ts";
import { checkMachine, checkMachinePool } from "../../kinds/machine/checkMachine.ts";

/** Rules of a turn for kinds that this build does not reconcile yet. What is not in the files is not judged. */
type TurnProblems = (object: KubeObject, owner: KubeObject | undefined) => readonly Problem[];

/** Which subnets there are is known only once the cluster's own object has been read. */
const around = ({ metadata: { name } }: KubeObject) => ({ name, role: "node", subnets: [] }) as const;

const ofMachine: TurnProblems = (object) => {
  const spec = parseAzureMachine(object);
  return spec.ok ? checkMachine(around(object), spec.value) : [];
};

const inTemplate = (problem: Problem): Problem => ({
  ...problem,
  message: problem.message.replace(/^spec\./, "spec.template.spec."),
});

/** Names follow from those of the machines, which the template does not know. */
const ofTemplate: TurnProblems = (object) => {
  const spec = parseAzureMachineTemplate(object);
  return spec.ok ? checkMachine({ ...around(object), name: "" }, spec.value.template.spec).map(inTemplate) : [];
};

const ofPool: TurnProblems = (object, owner) => {
  const spec = parseAzureMachinePool(object);
  const kubernetesVersion = textAt(owner?.spec, "template", "spec", "version");
  return spec.ok
    ? checkMachinePool({ ...around(object), ...(kubernetesVersion !== undefined && { kubernetesVersion }) }, spec.value)
    : [];
};

const cidrBlocks = (cluster: KubeObject, field: string): { readonly cidrBlocks: readonly string[] } => {
  const blocks: Json = valueAt(cluster.spec, "clusterNetwork", field, "cidrBlocks") ?? [];
  return { cidrBlocks: Array.isArray(blocks) ? blocks.filter((block) => typeof block === "string") : [] };
};

const ofControlPlane: TurnProblems = (object, cluster) => {
  const spec = parseAzureManagedControlPlane(object);
  if (!spec.ok) return [];
  const { name } = object.metadata;
  const { dnsServiceIP: _ofCluster, ...own } = spec.value;
  if (cluster === undefined || !isObject(cluster.spec)) return checkControlPlane({ name, clusterName: "" }, own);
  const clusterNetwork = { services: cidrBlocks(cluster, "services"), pods: cidrBlocks(cluster, "pods") };
  return checkControlPlane({ name, clusterName: cluster.metadata.name, clusterNetwork }, spec.value);
};

export const turnProblems: ReadonlyMap<string, TurnProblems> = new Map([
  ["AzureMachine", ofMachine],
  ["AzureMachineTemplate", ofTemplate],
  ["AzureMachinePool", ofPool],
  ["AzureManagedControlPlane", ofControlPlane],
]);
