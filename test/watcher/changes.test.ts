import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { annotations, labels } from "../../src/core/annotations.ts";
import type { News } from "../../src/core/chain/messages.ts";
import { newsOf } from "../../src/core/inputs.ts";
import { type Projection, project } from "../../src/core/projection.ts";
import type { KubeObject } from "../../src/core/types.ts";
import { type Change, type Changes, type Ring, trackChanges } from "../../src/watcher/changes.ts";
import { keyText } from "../../src/watcher/objectIndex.ts";
import { object, ownedBy, type Parts } from "./support/objects.ts";

const reconciled = new Set([
  "AzureCluster",
  "AzureMachine",
  "AzureMachinePool",
  "AzureManagedControlPlane",
  "AzureManagedMachinePool",
]);
const seen = (kubeObject: KubeObject): Change => ({ kind: "seen", projection: project(kubeObject) });
const gone = (kubeObject: KubeObject): Change => ({ kind: "gone", projection: project(kubeObject) });
const opened: Change = { kind: "opened" };

const cluster = (parts: Parts = {}): KubeObject => object("Cluster", "demo", parts);
const azureCluster = (parts: Parts = {}): KubeObject =>
  object("AzureCluster", "demo", {
    ...parts,
    metadata: { ...ownedBy("Cluster", "demo"), ...parts.metadata },
    spec: { identityRef: { kind: "AzureClusterIdentity", name: "who" }, ...parts.spec },
  });
const identity = (parts: Parts = {}): KubeObject => object("AzureClusterIdentity", "who", parts);

const started = (...objects: readonly KubeObject[]): Changes => {
  const changes = trackChanges({ reconciled });
  for (const one of objects) changes.apply(seen(one));
  changes.apply(opened);
  changes.announce(100);
  return changes;
};

describe("an AzureCluster", () => {
  const settled = azureCluster({ metadata: { resourceVersion: "5" } });
  it("is announced at the start, once, with all that is known by then", () => {
    const changes = trackChanges({ reconciled });
    expect(changes.apply(seen(settled))).toEqual([]);
    expect(changes.apply(seen(cluster({ spec: { paused: true } })))).toEqual([]);
    expect(changes.apply(opened)).toEqual([]);
    expect(changes.announce(100)).toMatchObject([
      { cause: "change", key: { kind: "AzureCluster", namespace: "ns", name: "demo" }, news: { paused: true } },
    ]);
  });

  it.each<{ readonly when: string; readonly change: Change; readonly rings: readonly object[] }>([
    {
      when: "its spec changes",
      change: seen(azureCluster({ metadata: { generation: 2, resourceVersion: "6" } })),
      rings: [{ cause: "change", news: { generation: 2 } }],
    },
    {
      when: "an annotation that a turn reads changes",
      change: seen(azureCluster({ metadata: { annotations: { [annotations.retry]: "1" }, resourceVersion: "6" } })),
      rings: [{ cause: "change" }],
    },
    {
      when: "an annotation that nobody reads changes",
      change: seen(azureCluster({ metadata: { annotations: { note: "1" }, resourceVersion: "6" } })),
      rings: [],
    },
    {
      when: "we write its status",
      change: seen(azureCluster({ metadata: { resourceVersion: "6" }, status: { ready: true, conditions: [] } })),
      rings: [],
    },
    {
      when: "it is being deleted",
      change: seen(azureCluster({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "6" } })),
      rings: [{ cause: "change", news: { deleting: true } }],
    },
    { when: "it is gone", change: gone(settled), rings: [{ cause: "change", news: { deleting: true, inputs: "" } }] },
    {
      when: "it is gone because it was moved",
      change: gone(
        azureCluster({ metadata: { annotations: { [annotations.deleteForMove]: "" }, resourceVersion: "6" } }),
      ),
      rings: [{ cause: "change", news: { deleting: true, moved: true } }],
    },
    {
      when: "a complete list lacks it",
      change: { kind: "listed", of: "AzureCluster", present: new Set() },
      rings: [{ cause: "change", news: { deleting: true, inputs: "" } }],
    },
    {
      when: "its Cluster is paused",
      change: seen(cluster({ spec: { paused: true }, metadata: { resourceVersion: "2" } })),
      rings: [{ cause: "dependency", news: { paused: true } }],
    },
    {
      when: "its Cluster gets a status that it does not count",
      change: seen(cluster({ status: { phase: "Provisioned" }, metadata: { resourceVersion: "2" } })),
      rings: [],
    },
    { when: "its Cluster is gone", change: gone(cluster()), rings: [{ cause: "dependency" }] },
    { when: "its identity comes", change: seen(identity()), rings: [{ cause: "dependency" }] },
    { when: "another's identity comes", change: seen(object("AzureClusterIdentity", "other")), rings: [] },
  ])("rings $rings.length times when $when", ({ change, rings }) => {
    expect(started(settled, cluster()).apply(change)).toMatchObject(rings);
  });

  it("that is first seen while it is being deleted is announced as that", () => {
    const late = azureCluster({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
    expect(started().apply(seen(late))).toMatchObject([{ news: { deleting: true } }]);
  });
  it("rings under another message id each time a dependency comes and goes", () => {
    const changes = trackChanges({ reconciled });
    const back = identity({ metadata: { uid: "new", resourceVersion: "8" } });
    changes.apply(opened);
    const rings = [seen(azureCluster()), seen(identity()), gone(identity()), seen(back), gone(back)].flatMap((change) =>
      changes.apply(change),
    );
    expect(rings).toHaveLength(5);
    expect(new Set(rings.map(({ versions }) => versions.toSorted().join())).size).toBe(5);
  });
  it("that is gone and comes back as it was is announced again", () => {
    const changes = started(azureCluster());
    changes.apply(gone(azureCluster()));
    expect(changes.apply(seen(azureCluster()))).toHaveLength(1);
    expect(changes.count("AzureCluster")).toBe(1);
  });
  it("rings under its newest version, also when a silent write made it", () => {
    const changes = started(azureCluster(), cluster());
    changes.apply(seen(azureCluster({ metadata: { resourceVersion: "77" } })));
    const [ring] = changes.apply(seen(cluster({ metadata: { generation: 2, resourceVersion: "78" } })));
    expect(ring?.versions.filter((version) => /:7[78]$/.test(version))).toHaveLength(2);
  });
  it("tells both watcher replicas the same versions, whatever came first", () => {
    const identityChange = seen(identity());
    const clusterChange = seen(cluster({ metadata: { generation: 2, resourceVersion: "9" } }));
    const last = (changes: Changes, ...order: readonly Change[]): readonly string[] | undefined =>
      order
        .flatMap((change) => changes.apply(change))
        .at(-1)
        ?.versions.toSorted();
    expect(last(started(azureCluster(), cluster()), identityChange, clusterChange)).toEqual(
      last(started(azureCluster(), cluster()), clusterChange, identityChange),
    );
  });
});

describe("the announcement", () => {
  const some = ["a", "b", "c"].map((name) => object("AzureCluster", name));
  const names = (rings: readonly Ring[]): readonly string[] => rings.map(({ key }) => key.name);
  it("comes in pieces, each object once", () => {
    const changes = trackChanges({ reconciled });
    expect(changes.announce(9)).toEqual([]);
    for (const one of some) changes.apply(seen(one));
    changes.apply(opened);
    expect(changes.unannounced()).toBe(3);
    expect([2, 2, 2].map((atMost) => names(changes.announce(atMost)))).toEqual([["a", "b"], ["c"], []]);
    expect(changes.unannounced()).toBe(0);
  });
  it("passes over what has rung or gone meanwhile", () => {
    const changes = trackChanges({ reconciled });
    for (const one of some) changes.apply(seen(one));
    changes.apply(opened);
    const changed = object("AzureCluster", "b", { metadata: { generation: 2, resourceVersion: "2" } });
    expect(names(changes.apply(seen(changed)))).toEqual(["b"]);
    expect(changes.apply(gone(object("AzureCluster", "c")))).toEqual([]);
    expect(names(changes.announce(9))).toEqual(["a"]);
  });
});

describe("the watch filter", () => {
  const labelled = (value: string, resourceVersion: string): KubeObject =>
    azureCluster({ metadata: { labels: { [labels.watchFilter]: value }, resourceVersion } });
  it("silences objects without its value, and follows the label", () => {
    const changes = trackChanges({ reconciled, watchFilter: "mine" });
    changes.apply(opened);
    const rings = [labelled("other", "1"), labelled("mine", "2"), labelled("other", "3"), labelled("mine", "4")].map(
      (one) => changes.apply(seen(one)).length,
    );
    expect(rings).toEqual([0, 1, 0, 1]);
  });
  it("lets a dependency count without the label", () => {
    const changes = trackChanges({ reconciled, watchFilter: "mine" });
    changes.apply(opened);
    changes.apply(seen(labelled("mine", "1")));
    expect(changes.apply(seen(cluster({ spec: { paused: true } })))).toMatchObject([{ news: { paused: true } }]);
  });
});

describe("members", () => {
  const pool = object("AzureMachinePool", "pool");
  const member = (name: string, owner: string, resourceVersion = "1"): KubeObject =>
    object("AzureMachinePoolMachine", name, { metadata: { ...ownedBy("AzureMachinePool", owner), resourceVersion } });
  it("ring the pool that they join, leave or vanish from", () => {
    const changes = started(pool, object("AzureMachinePool", "other"));
    const rung = (change: Change): readonly string[] => changes.apply(change).map(({ key }) => key.name);
    expect(rung(seen(member("m", "pool")))).toEqual(["pool"]);
    expect(rung(seen(member("m", "other", "2"))).toSorted()).toEqual(["other", "pool"]);
    expect(rung(gone(member("m", "other", "3")))).toEqual(["other"]);
  });
});

// ── whatever comes in whatever order ─────────────────────────────────────
type World = ReadonlyMap<string, KubeObject>;
interface Step {
  readonly slot: number;
  readonly what: "write" | "status" | "delete" | "relist" | "again";
  readonly flavour: number;
}
const slots: readonly { readonly kind: string; readonly name: string }[] = [
  { kind: "Cluster", name: "demo" },
  { kind: "AzureCluster", name: "demo" },
  { kind: "AzureClusterIdentity", name: "who" },
  { kind: "Machine", name: "m" },
  { kind: "AzureMachine", name: "m" },
  { kind: "AzureMachinePool", name: "p" },
  { kind: "AzureMachinePoolMachine", name: "p-0" },
  { kind: "AzureManagedControlPlane", name: "demo" },
  { kind: "AzureManagedMachinePool", name: "a" },
];

/** Flavours switch on and off what objects refer to and what is counted of them. */
const grown = (kind: string, name: string, flavour: number, generation: number, version: number): KubeObject => {
  const has = (bit: number): boolean => (flavour & (1 << bit)) !== 0;
  const owner: Readonly<Record<string, readonly [string, string]>> = {
    AzureCluster: ["Cluster", "demo"],
    AzureMachine: ["Machine", "m"],
    AzureMachinePoolMachine: ["AzureMachinePool", "p"],
    AzureManagedControlPlane: ["Cluster", "demo"],
  };
  const owned = owner[kind];
  return object(kind, name, {
    metadata: {
      ...(owned !== undefined && has(0) ? ownedBy(...owned) : {}),
      uid: has(4) ? `${kind}-b` : `${kind}-a`,
      generation,
      resourceVersion: String(version),
      labels: has(1) ? { [labels.clusterName]: "demo" } : {},
      annotations: has(2) ? { [annotations.paused]: "", [annotations.deleteMachine]: "" } : {},
      ...(has(3) ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: {
      ...(has(5) ? { identityRef: { kind: "AzureClusterIdentity", name: "who" }, paused: true } : {}),
      infrastructureRef: { kind: "AzureCluster", name: has(2) ? "demo" : "none" },
      controlPlaneRef: { kind: "AzureManagedControlPlane", name: has(1) ? "demo" : "none" },
    },
    status: { ready: has(6), infrastructureReady: has(6) },
  });
};

const step: fc.Arbitrary<Step> = fc.record({
  slot: fc.nat(slots.length - 1),
  what: fc.constantFrom("write", "write", "status", "delete", "relist", "again"),
  flavour: fc.nat(127),
});

/** What the API server would say of a step, and the world after it. */
const happen = (world: World, { slot, what, flavour }: Step, version: number): readonly [World, readonly Change[]] => {
  const { kind, name } = slots[slot]!;
  const text = `${kind}/ns/${name}`;
  const now = world.get(text);
  const generation = now?.metadata.generation ?? 0;
  const put = (one: KubeObject): readonly [World, readonly Change[]] => [new Map(world).set(text, one), [seen(one)]];
  const without = (): World => new Map([...world].filter(([key]) => key !== text));
  switch (what) {
    case "write":
      return put(grown(kind, name, flavour, generation + 1, version));
    case "status":
      return now === undefined
        ? [world, []]
        : put({
            ...now,
            metadata: { ...now.metadata, resourceVersion: String(version) },
            status: { ready: flavour > 63 },
          });
    case "delete":
      return now === undefined ? [world, []] : [without(), [gone(now)]];
    case "relist": {
      // It went while nobody watched: only the list shows it.
      const after = flavour > 63 ? without() : world;
      const listed = [...after.values()].filter((one) => one.kind === kind);
      const present = new Set(listed.map((one) => keyText(project(one))));
      return [after, [...listed.map(seen), { kind: "listed", of: kind, present }]];
    }
    case "again":
      return [world, now === undefined ? [gone(grown(kind, name, flavour, 1, version))] : [seen(now), seen(now)]];
  }
};

interface Told {
  readonly world: World;
  readonly rings: readonly Ring[];
}
/** All is announced at last, but piece by piece between the steps. */
const play = (steps: readonly Step[], openAt: number): Told => {
  const changes = trackChanges({ reconciled });
  let world: World = new Map();
  const rings: Ring[] = [];
  for (const [at, one] of steps.entries()) {
    if (at === openAt) changes.apply(opened);
    if (at % 3 === 0) rings.push(...changes.announce(1));
    const [after, brought] = happen(world, one, at + 1);
    world = after;
    for (const change of brought) rings.push(...changes.apply(change));
  }
  if (openAt >= steps.length) changes.apply(opened);
  rings.push(...changes.announce(100));
  expect(changes.unannounced()).toBe(0);
  return { world, rings };
};
const toldLast = (rings: readonly Ring[]): ReadonlyMap<string, News> =>
  new Map(rings.map(({ key, news }) => [keyText(key), news]));

describe("whatever comes in whatever order", () => {
  const history = fc.array(step, { maxLength: 60 });
  it("tells of each object what its final state says", () => {
    fc.assert(
      fc.property(history, fc.nat(60), (steps, openAt) => {
        const { world, rings } = play(steps, openAt);
        const known: readonly Projection[] = [...world.values()].map(project);
        const told = toldLast(rings);
        for (const self of known.filter(({ kind }) => reconciled.has(kind)))
          expect(told.get(keyText(self))).toEqual(newsOf(self, known));
        for (const [text, news] of told)
          if (!world.has(text)) expect(news).toMatchObject({ deleting: true, inputs: "" });
      }),
      { numRuns: 500 },
    );
  });
  it("never says the same twice in a row, nor two things under one message id", () => {
    fc.assert(
      fc.property(history, fc.nat(60), (steps, openAt) => {
        const last = new Map<string, string>();
        const byId = new Map<string, string>();
        for (const { cause, key, news, versions } of play(steps, openAt).rings) {
          const text = JSON.stringify(news);
          expect(last.get(keyText(key))).not.toBe(text);
          last.set(keyText(key), text);
          const id = [keyText(key), news.uid, cause, ...versions.toSorted()].join();
          expect(byId.get(id) ?? text).toBe(text);
          expect(byId.has(id)).toBe(false);
          byId.set(id, text);
        }
      }),
      { numRuns: 500 },
    );
  });
  it("is silent about an object whose status we write", () => {
    fc.assert(
      fc.property(history, fc.nat(slots.length - 1), (steps, slot) => {
        const changes = trackChanges({ reconciled });
        let world: World = new Map();
        for (const [at, one] of steps.entries()) {
          const [after, brought] = happen(world, one, at + 1);
          world = after;
          for (const change of brought) changes.apply(change);
        }
        changes.apply(opened);
        changes.announce(100);
        const [, brought] = happen(world, { slot, what: "status", flavour: 127 }, 1000);
        const own = brought.flatMap((change) => changes.apply(change)).map(({ key }) => keyText(key));
        expect(own).not.toContain(`${slots[slot]!.kind}/ns/${slots[slot]!.name}`);
      }),
    );
  });
});
