import { lookUpZoneLinks } from "../../src/adapters/zoneLinksFact.ts";
import { doorbell } from "../../src/core/chain/messages.ts";
import { canonicalJson } from "../../src/core/hash.ts";
import { dependencyKeys, memberKindOf, newsOf, versionsOf } from "../../src/core/inputs.ts";
import { type Projection, project } from "../../src/core/projection.ts";
import type { Failure, Json, KubeObject, ObjectKey } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { handle } from "../../src/engine/handle.ts";
import { createSharedCache } from "../../src/engine/shared/sharedCache.ts";
import { createThrottle } from "../../src/engine/throttle/throttle.ts";
import { kinds as realKinds } from "../../src/kinds/index.ts";
import { type ArmState, createArmState } from "../../src/sim/arm/armState.ts";
import type { ArmSimulatorOptions } from "../../src/sim/arm/options.ts";
import { memoryAzure } from "../../src/sim/memory/memoryAzure.ts";
import { type MemoryObjects, memoryObjects } from "../../src/sim/memory/memoryObjects.ts";
import { type MemoryQueue, memoryQueue } from "../../src/sim/memory/memoryQueue.ts";
import { type MemoryTables, memoryTables, type TableFault } from "../../src/sim/memory/memoryTables.ts";
import { type VirtualClock, virtualClock } from "../../src/sim/memory/virtualClock.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { watchForRest } from "./atRest.ts";
import type { CrashPlan } from "./crashes.ts";
import { type Call, intercept } from "./intercept.ts";

export const clusterUid = "management-1";

/** Switches by which a test breaks the surroundings. */
export interface Faults {
  kube?: (call: "read" | "write", key: ObjectKey) => Failure | undefined;
  tables?: (call: "read" | "commit") => TableFault | undefined;
  brokerDown?: boolean;
  /** Zones of a region; three everywhere unless said otherwise. */
  zones?: (location: string) => readonly string[];
}

/** One management cluster, one Azure, one queue and one function app in memory, on one virtual clock. */
export interface World {
  readonly clock: VirtualClock;
  readonly objects: MemoryObjects;
  readonly tables: MemoryTables;
  readonly queue: MemoryQueue;
  readonly arm: ArmState;
  readonly deps: Deps;
  readonly faults: Faults;
  /** Why the world cannot come to rest; set by a test that leaves it so on purpose (see `atRest.ts`). */
  restless?: string;
  /** Every call of every port by the function app, oldest first; emptied by whoever counts. */
  readonly calls: Call[];
  readonly logs: readonly {
    readonly level: string;
    readonly message: string;
    readonly fields: Readonly<Record<string, unknown>>;
  }[];
  /** Requests to Azure so far, oldest first. */
  requests(): readonly { readonly method: string; readonly path: string; readonly status: number }[];
  /** Those that may change something. */
  writes(): readonly { readonly method: string; readonly path: string; readonly status: number }[];
  /** Handles what is due, going on in time, until nothing is due within `horizonMs`; answers the turns it took. */
  run(horizonMs?: number): Promise<number>;
  /** Handles one message that is due now; false when there is none. */
  step(deps?: Deps): Promise<boolean>;
  /** Handles one message by a function app that may die; true when it did. Its message comes back when the lock has ended. */
  stepMortal(plan: CrashPlan): Promise<boolean>;
  /** Holds the doorbells back, as a slow watcher does: afterwards one for each object tells what it is then. */
  holdDoorbells(): void;
  ringHeldDoorbells(): void;
}

/** A query of Azure Resource Graph is a POST that changes nothing. */
const isQuestion = (path: string): boolean => path.startsWith("/providers/Microsoft.ResourceGraph/");

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;

export const createWorld = (options: ArmSimulatorOptions = {}, kinds: Deps["kinds"] = realKinds): World => {
  const clock = virtualClock();
  const nowMs = (): number => clock.nowMs();
  const faults: Faults = {};
  const logs: { level: string; message: string; fields: Readonly<Record<string, unknown>> }[] = [];
  let serial = 0;
  const nonce = (): string => {
    serial += 1;
    return serial.toString(16).padStart(16, "0");
  };
  const objects = memoryObjects(nowMs, (call, key) => faults.kube?.(call, key));
  const tables = memoryTables(nowMs, (call) => faults.tables?.(call));
  const queue = memoryQueue(nowMs, nonce, () => faults.brokerDown === true);
  const arm = createArmState({ latency: 0, ...options });
  const calls: Call[] = [];
  const bare: Deps = {
    azure: memoryAzure(arm, nowMs),
    clusters: {
      connect: (cluster) =>
        Promise.resolve(
          cluster === clusterUid
            ? { ok: true, value: objects }
            : {
                ok: false,
                error: {
                  kind: "badConfiguration",
                  code: "UnknownCluster",
                  message: `cluster ${cluster} is not registered`,
                },
              },
        ),
    },
    tables,
    queue,
    clock,
    nonce,
    random: () => 0.5,
    log: (level, message, fields = {}) => void logs.push({ level, message, fields }),
    facts: {
      get: (query, arm) =>
        query.kind === "zones"
          ? Promise.resolve({ ok: true, value: { ...query, zones: faults.zones?.(query.location) ?? ["1", "2", "3"] } })
          : lookUpZoneLinks(query, arm),
    },
    throttle: createThrottle(),
    shared: createSharedCache(),
    kinds,
    schema: loadSchema,
    settings: { clusters: [clusterUid], driftPeriodMs: 24 * 3_600_000 },
  };
  const deps = intercept(bare, (call, run) => {
    calls.push(call);
    return run();
  });
  const watcher = ringOnChange(objects, queue, kinds, nowMs);

  const step = async (by: Deps = deps): Promise<boolean> => {
    const delivery = queue.receive();
    if (delivery === undefined) return false;
    const { message, lockToken } = delivery;
    await handle({ body: message.body, messageId: message.id }, by).then(
      () => queue.reconcile.complete(nowMs(), lockToken),
      () => queue.reconcile.abandon(nowMs(), lockToken),
    );
    return true;
  };
  const run = async (horizonMs = 10 * 60_000): Promise<number> => {
    const endMs = nowMs() + horizonMs;
    let turns = 0;
    for (;;) {
      if (await step()) {
        turns += 1;
        continue;
      }
      const next = queue.nextDueMs();
      if (next === undefined || next > endMs) return turns;
      clock.advanceTo(next);
    }
  };
  const requests: World["requests"] = () => arm.requests.map(({ method, path, status }) => ({ method, path, status }));
  return watchForRest({
    clock,
    objects,
    tables,
    queue,
    arm,
    deps,
    faults,
    calls,
    logs,
    requests,
    writes: () => requests().filter(({ method, path }) => method !== "GET" && !isQuestion(path)),
    run,
    step,
    stepMortal: (plan) => Promise.race([step(plan.deps).then(() => false), plan.died.then(() => true)]),
    ...watcher,
  });
};

/** A watcher without watches: rings for every object whose news changed. */
const ringOnChange = (
  objects: MemoryObjects,
  queue: MemoryQueue,
  kinds: Deps["kinds"],
  nowMs: () => number,
): Pick<World, "holdDoorbells" | "ringHeldDoorbells"> => {
  const told = new Map<string, string>();
  const last = new Map<string, Projection>();
  const projections = new WeakMap<KubeObject, Projection>();
  const projected = (object: KubeObject): Projection => {
    const found = projections.get(object) ?? project(object);
    projections.set(object, found);
    return found;
  };
  /** What each object obeys, until it or one of those changes: hundreds of objects are not gone through each time. */
  const obeyed = new Map<string, ReadonlySet<string>>();
  const ring = (after: KubeObject | undefined, before: KubeObject | undefined): void => {
    const changed = after ?? before;
    if (changed === undefined) return;
    const known = objects.all().map(projected);
    const self = projected(changed);
    const targets = after === undefined ? [self, ...known] : known;
    for (const target of targets) {
      if (!kinds.has(target.kind)) continue;
      const isSelf = textOf(target) === textOf(self);
      const keysBefore = obeyed.get(textOf(target));
      const touched =
        keysBefore === undefined || isSelf || keysBefore.has(textOf(self)) || memberKindOf(target.kind) === self.kind;
      if (!touched) continue;
      const keys = new Set(dependencyKeys(target, known).map(textOf));
      obeyed.set(textOf(target), keys);
      if (!isSelf && !keys.has(textOf(self))) continue;
      const gone = isSelf && after === undefined;
      // As the watcher does: that it is gone is news to any turn.
      const news = { ...newsOf(target, known), ...(gone && { inputs: "", deleting: true }) };
      const text = canonicalJson({ ...news, gone });
      if (told.get(textOf(target)) === text) continue;
      told.set(textOf(target), text);
      last.set(textOf(target), target);
      const address = { cluster: clusterUid, kind: target.kind, namespace: target.namespace, name: target.name };
      const { item, messageId } = doorbell({
        cause: isSelf ? "change" : "dependency",
        address,
        news,
        versions: gone ? [`gone ${self.uid}:${self.resourceVersion}`] : versionsOf(target, known),
        nowMs: nowMs(),
      });
      // A watcher keeps what the broker does not take; here it is never down for the watcher.
      queue.reconcile.send(nowMs(), [{ id: messageId, body: structuredClone({ ...item }) as unknown as Json }]);
    }
  };
  let isHeld = false;
  const held = new Map<string, readonly [KubeObject | undefined, KubeObject | undefined]>();
  objects.onChange((after, before) => {
    const changed = after ?? before;
    if (isHeld && changed !== undefined) held.set(textOf(projected(changed)), [after, before]);
    else ring(after, before);
  });
  return {
    holdDoorbells: () => {
      isHeld = true;
    },
    ringHeldDoorbells: () => {
      isHeld = false;
      const all = [...held.values()];
      held.clear();
      for (const [after, before] of all) ring(after, before);
    },
  };
};

/** Cluster, AzureCluster, identity and secret as a user of the default template has them, once Cluster API has set the owner. */
export const applyDefaultCluster = (world: World, name = "c1"): ObjectKey => {
  const { objects } = world;
  objects.putSecret("default", "sp-secret", { clientSecret: "s3cret" });
  objects.put({ apiVersion: "v1", kind: "Namespace", metadata: { name: "default" } });
  objects.put({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureClusterIdentity",
    metadata: { name: "sp", namespace: "default" },
    spec: {
      type: "ServicePrincipal",
      tenantID: "00000000-0000-4000-8000-0000000000aa",
      clientID: "00000000-0000-4000-8000-0000000000bb",
      clientSecret: { name: "sp-secret", namespace: "default" },
      allowedNamespaces: {},
    },
  });
  const cluster = objects.put({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name, namespace: "default" },
    spec: { infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "AzureCluster", name } },
  });
  objects.put({
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "AzureCluster",
    metadata: {
      name,
      namespace: "default",
      labels: { "cluster.x-k8s.io/cluster-name": name },
      ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, uid: cluster.metadata.uid }],
    },
    spec: {
      identityRef: { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", kind: "AzureClusterIdentity", name: "sp" },
      location: "eastus",
      subscriptionID: "00000000-0000-4000-8000-000000000001",
      resourceGroup: name,
      networkSpec: {
        vnet: { name: `${name}-vnet` },
        subnets: [
          { name: "control-plane-subnet", role: "control-plane" },
          { name: "node-subnet", role: "node" },
        ],
      },
    },
  });
  return { kind: "AzureCluster", namespace: "default", name };
};

/** The conditions of an object by type. */
export const conditionsOf = (
  object: KubeObject | undefined,
): Readonly<Record<string, { readonly status?: string; readonly reason?: string; readonly message?: string }>> => {
  const { conditions } = object?.status ?? {};
  const list = Array.isArray(conditions) ? conditions : [];
  return Object.fromEntries(list.map((one) => [String((one as { type: string }).type), one as { status?: string }]));
};
