import { stringify } from "yaml";
import type { JsonObject } from "../../src/core/types.ts";
import { completeForms, exampleVersion } from "./completeForms.ts";
import { exampleSpec } from "./exampleObject.ts";
import { linkTo } from "./kindWords.ts";
import { note, page, prose } from "./markdown.ts";

/** A short spec that is shown in full. */
interface Shown {
  readonly kind: string;
  readonly title: string;
  /** What is worth seeing in it. Markdown. */
  readonly words: string;
  /** Laid over the spec of the kind's example. */
  readonly more?: JsonObject;
  /** The only field of the spec to be shown, where the others are seen elsewhere. */
  readonly part?: string;
}

const shown: readonly Shown[] = [
  {
    kind: "AzureCluster",
    title: "A public cluster",
    words:
      "A virtual network with a subnet for each role, a public load balancer before the API server, and a NAT gateway for " +
      "the nodes. The security group of the control plane lets SSH and the API server in.",
  },
  {
    kind: "AzureCluster",
    title: "A private API server",
    words:
      "The load balancer has a fixed address in the control-plane subnet, and the endpoint a name in a private DNS zone.",
    more: { networkSpec: { apiServerLB: { type: "Internal" } } },
  },
  {
    kind: "AzureCluster",
    title: "A bastion host",
    words: "An empty `azureBastion` asks for one with all defaults. The rest is as for a public cluster.",
    more: { bastionSpec: { azureBastion: {} } },
    part: "bastionSpec",
  },
  {
    kind: "AzureMachine",
    title: "A worker",
    words: `The image follows from the Machine's Kubernetes version, here ${exampleVersion}, and the subnet from its role.`,
  },
  {
    kind: "AzureMachine",
    title: "A worker with data disks, on spare capacity",
    words: "Disks get the lowest free number each. What an eviction does depends on the OS disk.",
    more: {
      osDisk: { osType: "Linux", diffDiskSettings: { option: "Local" } },
      dataDisks: [
        { nameSuffix: "data", diskSizeGB: 128, lun: 0 },
        { nameSuffix: "logs", diskSizeGB: 64 },
      ],
      spotVMOptions: {},
    },
  },
  {
    kind: "AzureMachinePool",
    title: "A pool",
    words: "New instances come before old ones go, one at a time, the oldest first.",
  },
  {
    kind: "AzureManagedControlPlane",
    title: "An AKS cluster",
    words: "Resource group, network and DNS prefix are named after the Cluster and the object.",
  },
  {
    kind: "AzureManagedControlPlane",
    title: "An overlay network",
    words: "Pods have addresses of their own, so the network of the nodes is a smaller one.",
    more: { networkPluginMode: "overlay" },
    part: "virtualNetwork",
  },
  {
    kind: "AzureManagedMachinePool",
    title: "A node pool",
    words: "A system disk of 0 GB has the size that AKS chooses for the VM size.",
  },
];

const yaml = (value: JsonObject): string =>
  `\`\`\`yaml\n${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd()}\n\`\`\``;

const only = (spec: JsonObject, more: JsonObject, part: string | undefined): JsonObject =>
  part === undefined ? spec : { ...(part in spec && { [part]: spec[part] ?? {} }), ...more };

const section = ({ title, words, kind, more = {}, part }: Shown): string => {
  const complete = completeForms[kind];
  if (complete === undefined) throw new Error(`say in completeForms.ts what makes the spec of ${kind} whole`);
  const whole = complete(more);
  return [
    `### ${title}`,
    prose(words),
    yaml({ spec: only(exampleSpec(kind, more), more, part) }),
    "means",
    yaml({ spec: part === undefined ? whole : { [part]: whole[part] ?? {} } }),
  ].join("\n\n");
};

/** What short specs mean, in full: the output of the functions that a turn uses. */
export const defaultsPage = (): string =>
  page(
    "# Defaults",
    note,
    prose(
      "What a spec leaves unsaid is computed at each turn and never written into the spec, so that a manifest that is applied " +
        "again changes nothing. The forms below are what the functions of a turn make of the examples, as objects of a " +
        "Cluster named `demo`. On something that exists already a default is not written: a new release with other defaults " +
        "changes no cluster. Random values, such as SSH keys, are none: they are made once, at creation.",
    ),
    ...[...Map.groupBy(shown, ({ kind }) => kind)].flatMap(([kind, sections]) => [
      `## ${kind}`,
      prose(`Fields: ${linkTo(kind, "#fields")}.`),
      ...sections.map(section),
    ]),
  );
