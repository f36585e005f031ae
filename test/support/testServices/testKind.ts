import { resourceGroupId } from "../../../src/core/ids.ts";
import type { Kind, KindInput, Reading } from "../../../src/core/kind.ts";
import { type RunnableKind, runnable } from "../../../src/core/runnableKind.ts";
import type { Service } from "../../../src/core/service.ts";
import type { JsonObject, ObjectKey } from "../../../src/core/types.ts";
import type { World } from "../world.ts";
import { testClusters, testPools } from "./askedAks.ts";
import { testNetworks, testSecurityGroups } from "./overlayNetwork.ts";
import { testScaleSets } from "./patchVm.ts";
import { type TestScope, testOwnerTags, type Wishes } from "./wish.ts";

/** The resource group that everything of a test object lies in. */
export const testGroups: Service<TestScope> = {
  name: "testGroups",
  label: "testgroups",
  type: "Microsoft.Resources/resourceGroups",
  condition: "TestGroupsReady",
  after: [],
  ownership: "tag",
  remove: "delete",
  trueWhenUnused: false,
  rules: { writes: "overlay", immutable: ["location"] },
  desired: (scope) => [
    {
      id: resourceGroupId(scope.subscription, scope.resourceGroup),
      body: { location: scope.location, tags: testOwnerTags(scope) },
      defaults: [],
    },
  ],
};

/** One service per way to write, and what they stand in. */
export const testServices = [
  testGroups,
  testNetworks,
  testSecurityGroups,
  testClusters,
  testPools,
  testScaleSets,
] as const;

const scopeOf = ({ object }: KindInput): TestScope => ({
  subscription: "00000000-0000-4000-8000-000000000001",
  resourceGroup: object.metadata.name,
  location: "eastus",
  owner: object.metadata.name,
  // The one cast: only tests write these objects.
  wishes: object.spec["wishes"] as unknown as Wishes,
});

const read = (input: KindInput): Reading<TestScope> => ({
  problems: [],
  credential: () => ({
    ok: true,
    value: {
      kind: "managedIdentity",
      cloud: "AzurePublicCloud",
      tenantId: "00000000-0000-4000-8000-0000000000aa",
      clientId: "00000000-0000-4000-8000-0000000000bb",
      identity: "default/test",
      usedBy: input.object.metadata.namespace,
    },
  }),
  facts: [],
  scope: () => ({ ok: true, value: scopeOf(input) }),
  report: (_scope, { settled }) => ({
    spec: {},
    status: {},
    claims: [
      settled
        ? { type: "TestReady", status: "True" }
        : { type: "TestReady", status: "False", severity: "Info", reason: "Creating" },
    ],
  }),
});

const testThing: Kind<TestScope> = {
  kind: "TestThing",
  finalizer: "testthing.test.capstan.dev",
  summary: "TestReady",
  services: testServices,
  dependencies: () => [],
  read,
  ownership: (scope) => ({
    tags: testOwnerTags(scope),
    subscription: scope.subscription,
    groups: [scope.resourceGroup],
  }),
};

/** A kind whose spec says, service by service, which bodies are wanted: `createWorld(options, testKinds)`. */
export const testKinds: ReadonlyMap<string, RunnableKind> = new Map([[testThing.kind, runnable(testThing)]]);

/** Makes or changes the object of the test kind. */
export const applyTestThing = (world: World, wishes: Wishes, name = "t1"): ObjectKey => {
  world.objects.put({
    apiVersion: "test.capstan.dev/v1",
    kind: testThing.kind,
    metadata: { name, namespace: "default" },
    spec: { wishes: wishes as unknown as JsonObject },
  });
  return { kind: testThing.kind, namespace: "default", name };
};
