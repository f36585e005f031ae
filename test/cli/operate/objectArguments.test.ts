import { describe, expect, it } from "vitest";
import { namedObjects } from "../../../src/cli/operate/objectArguments.ts";

const names = (args: readonly string[]): readonly string[] | string => {
  const named = namedObjects(args);
  return named.ok ? named.value.map(({ entry, name }) => `${entry.kind}/${name}`) : named.error;
};

describe("objects as kubectl names them", () => {
  it.each([
    { args: ["azurecluster/demo"], are: ["AzureCluster/demo"] },
    { args: ["AzureCluster", "demo"], are: ["AzureCluster/demo"] },
    { args: ["azureclusters", "a", "b", "a"], are: ["AzureCluster/a", "AzureCluster/b"] },
    {
      args: ["amp/a", "azureclusters.infrastructure.cluster.x-k8s.io/b"],
      are: ["AzureMachinePool/a", "AzureCluster/b"],
    },
    { args: ["azurecluster.v1beta1.infrastructure.cluster.x-k8s.io", "b.c"], are: ["AzureCluster/b.c"] },
  ])("$args", ({ args, are }) => expect(names(args)).toEqual(are));

  it.each([
    { args: [], says: "which object" },
    { args: ["azurecluster"], says: "which azurecluster" },
    { args: ["pod/demo"], says: '"pod" is no kind of Capstan; kinds are azurecluster,' },
    { args: ["demo"], says: '"demo" is no kind' },
    { args: ["azurecluster/a/b"], says: "is not TYPE/NAME" },
    { args: ["azurecluster/a", "b"], says: '"b" is not TYPE/NAME' },
    { args: ["azurecluster/"], says: "is not TYPE/NAME" },
    { args: ["azurecluster/Demo"], says: '"Demo" is no name' },
    { args: ["azurecluster", "../x"], says: "is not TYPE/NAME" },
  ])("$args is refused", ({ args, says }) => expect(names(args)).toContain(says));
});
