import { textAt } from "../api/json.ts";
import { apply } from "../core/apply/apply.ts";
import type { KindInput } from "../core/kind.ts";
import type { PlannedService, RunnableKind } from "../core/runnableKind.ts";
import type { KubeObject, ObjectKey } from "../core/types.ts";
import { judge } from "../engine/judge.ts";
import { loadSchema } from "../wire/loadSchema.ts";
import { asCreated, type ManifestObject } from "./manifest.ts";

/** One request of a plan that begins with nothing. */
export interface CreationStep {
  readonly service: string;
  readonly method: string;
  readonly id: string;
  readonly apiVersion: string;
}

export interface CreationPlan {
  /** `Kind namespace/name`. */
  readonly object: string;
  readonly steps: readonly CreationStep[];
  /** Why there is no plan. */
  readonly problems: readonly string[];
}

/** What the manifest and its namespace would be as objects of a cluster, with the owners that Cluster API would set. */
const world = (manifest: readonly ManifestObject[]): readonly KubeObject[] => {
  const objects = manifest.map(asCreated);
  const owners = new Map(
    objects
      .filter(({ kind }) => kind === "Cluster")
      .map(
        (cluster) =>
          [
            `${textAt(cluster.spec, "infrastructureRef", "kind")} ${cluster.metadata.namespace}/${textAt(cluster.spec, "infrastructureRef", "name")}`,
            cluster,
          ] as const,
      ),
  );
  return objects.map((object) => {
    const { kind, metadata } = object;
    const owner = owners.get(`${kind} ${metadata.namespace}/${metadata.name}`);
    if (owner === undefined) return object;
    const {
      apiVersion,
      kind: ownerKind,
      metadata: { name, uid },
    } = owner;
    const reference = { apiVersion, kind: ownerKind, name, uid, controller: true };
    return { ...object, metadata: { ...metadata, ownerReferences: [reference] } };
  });
};

const namespaceObject = ({ name }: ObjectKey): KubeObject =>
  asCreated({ apiVersion: "v1", kind: "Namespace", name, namespace: "", body: {} });

const find = (objects: readonly KubeObject[], key: ObjectKey): KubeObject | undefined =>
  objects.find(
    ({ kind, metadata }) => kind === key.kind && metadata.name === key.name && metadata.namespace === key.namespace,
  ) ?? (key.kind === "Namespace" ? namespaceObject(key) : undefined);

/** Services in an order in which each comes after those it needs. */
const inOrder = (services: readonly PlannedService[]): readonly PlannedService[] => {
  const ordered: PlannedService[] = [];
  let left = services;
  while (left.length > 0) {
    const waiting = new Set(left.map(({ service }) => service.name));
    const ready = left.filter(({ service }) => !service.after.some((name) => waiting.has(name)));
    // A circle cannot be ordered; the engine's own test refuses it.
    ordered.push(...(ready.length === 0 ? left : ready));
    left = ready.length === 0 ? [] : left.filter((one) => !ready.includes(one));
  }
  return ordered;
};

const stepsOf = async ({ service, desired }: PlannedService): Promise<readonly CreationStep[]> => {
  if (desired.length === 0) return [];
  const schema = await loadSchema(service.type);
  return desired.flatMap((wanted) => {
    const result = apply({
      schema,
      rules: service.rules,
      desired: wanted,
      observed: { kind: "absent" },
      applied: undefined,
      tagsAtScope: false,
    });
    return result.kind === "write"
      ? result.requests.map(({ method, path, apiVersion }) => ({ service: service.name, method, id: path, apiVersion }))
      : [];
  });
};

const planOf = async (
  object: KubeObject,
  kind: RunnableKind,
  objects: readonly KubeObject[],
): Promise<CreationPlan> => {
  const name = `${object.kind} ${object.metadata.namespace}/${object.metadata.name}`;
  const input: KindInput = {
    object,
    dependencies: Object.fromEntries(kind.dependencies(object).map(({ role, key }) => [role, find(objects, key)])),
    settings: {},
  };
  const reading = kind.read(input);
  const problems = await judge(object, reading);
  const planned = problems.length > 0 ? { ok: false as const, error: problems } : reading.plan([]);
  if (!planned.ok) return { object: name, steps: [], problems: planned.error.map(({ message }) => message) };
  const steps = await Promise.all(inOrder(planned.value.services).map(stepsOf));
  return { object: name, steps: steps.flat(), problems: [] };
};

/** What Azure would be asked for if nothing of a manifest existed yet, one plan for each object of a reconciled kind. Asks nobody. */
export const creationPlans = (
  manifest: readonly ManifestObject[],
  kinds: ReadonlyMap<string, RunnableKind>,
): Promise<readonly CreationPlan[]> => {
  const objects = world(manifest);
  return Promise.all(
    objects.flatMap((object) => {
      const kind = kinds.get(object.kind);
      return kind === undefined ? [] : [planOf(object, kind, objects)];
    }),
  );
};

/** A plan as lines: one a request, in an order that works. */
export const renderPlan = ({ object, steps, problems }: CreationPlan): readonly string[] => [
  `${object}: ${problems.length > 0 ? "no plan" : `${steps.length} requests`}`,
  ...problems.map((problem) => `  ${problem}`),
  ...steps.map(({ service, method, id, apiVersion }) => `  ${service}  ${method} ${id}  ${apiVersion}`),
];
