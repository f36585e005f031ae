import { annotations, labels } from "../core/annotations.ts";
import { hashOf } from "../core/hash.ts";
import type { CredentialSpec } from "../core/identity.ts";
import { dependenciesOf, isPaused } from "../core/inputs.ts";
import type { Fact, KindInput, Problem } from "../core/kind.ts";
import { type Projection, project } from "../core/projection.ts";
import type { Planned, RunnableKind, RunnableReading } from "../core/runnableKind.ts";
import type { Failure, KubeObject, ObjectKey, Result } from "../core/types.ts";
import type { Arm, Kube } from "../ports.ts";
import type { Deps } from "./deps.ts";

/** What a turn found when it looked at its object. */
export type Gathered =
  | { readonly kind: "gone" }
  /** Somebody else's: the watch filter or `managed-by` says so. Nothing is read or written. */
  | { readonly kind: "ignored"; readonly object: KubeObject; readonly why: string }
  | {
      readonly kind: "paused" | "ready";
      readonly object: KubeObject;
      readonly input: KindInput;
      readonly known: readonly Projection[];
    };

/** What Azure and the spec say together: a plan and a way to carry it out, or why there is none. */
export type Prepared =
  | { readonly kind: "planned"; readonly planned: Planned; readonly arm: Arm; readonly credential: string }
  /** `arm`: Azure can be reached, only there is no plan. */
  | { readonly kind: "blocked"; readonly problems: readonly Problem[]; readonly arm?: Arm }
  | { readonly kind: "failed"; readonly failure: Failure; readonly arm?: undefined };

/** Reads the object and what it depends on. A failure is one of our surroundings. */
export const gather = async (key: ObjectKey, kind: RunnableKind, kube: Kube, deps: Deps): Promise<Result<Gathered>> => {
  const found = await kube.get(key);
  if (!found.ok) return found.error.kind === "gone" ? { ok: true, value: { kind: "gone" } } : found;
  const object = found.value;
  const why = notOurs(object, deps);
  if (why !== undefined) return { ok: true, value: { kind: "ignored", object, why } };
  const read = await readAll(object, kind, kube, { objects: new Map(), roles: [] });
  if (!read.ok) return read;
  const { subscriptionId } = deps.settings;
  const input: KindInput = {
    object,
    dependencies: Object.fromEntries(
      read.value.roles.map(({ role, key }) => [role, read.value.objects.get(textOf(key))]),
    ),
    settings: subscriptionId === undefined ? {} : { subscriptionId },
  };
  const known = present(read.value);
  const paused = isPaused(project(object), known);
  return { ok: true, value: { kind: paused ? "paused" : "ready", object, input, known } };
};

/** What another management cluster has now: neither reconciled nor deleted here, whatever else the object says. */
export const isMoved = ({ metadata }: Pick<KubeObject, "metadata">): boolean =>
  metadata.annotations[annotations.deleteForMove] !== undefined;

/** Why an object is somebody else's to reconcile; undefined when it is ours. */
export const notOurs = ({ metadata }: Pick<KubeObject, "metadata">, { settings }: Deps): string | undefined => {
  if (metadata.annotations[annotations.managedBy] !== undefined) return `annotation ${annotations.managedBy} is set`;
  if (isMoved({ metadata })) return "it goes because it was moved";
  const { watchFilter } = settings;
  if (watchFilter !== undefined && metadata.labels[labels.watchFilter] !== watchFilter) {
    return `label ${labels.watchFilter} is not ${watchFilter}`;
  }
  return undefined;
};

/** What was read beside the object: by role for the kind, projected for `seen`. */
interface Read {
  readonly objects: ReadonlyMap<string, KubeObject | undefined>;
  readonly roles: readonly { readonly role: string; readonly key: ObjectKey }[];
}

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;
const present = (read: Read): readonly Projection[] =>
  [...read.objects.values()].flatMap((object) => (object === undefined ? [] : [project(object)]));

/**
 * Reads what the object obeys, and what that leads to, until nothing new comes. A missing dependency is a value, so that
 * the kind can say what it waits for.
 */
const readAll = async (object: KubeObject, kind: RunnableKind, kube: Kube, before: Read): Promise<Result<Read>> => {
  const roles = [...dependenciesOf(project(object), present(before)), ...kind.dependencies(object)];
  const missing = new Map(
    roles.filter(({ key }) => !before.objects.has(textOf(key))).map(({ key }) => [textOf(key), key]),
  );
  if (missing.size === 0) return { ok: true, value: { ...before, roles } };
  const found = await Promise.all([...missing].map(async ([text, key]) => [text, await kube.get(key)] as const));
  const broken = found.find(([, result]) => !result.ok && result.error.kind !== "gone");
  if (broken !== undefined && !broken[1].ok) return broken[1];
  const objects = new Map([
    ...before.objects,
    ...found.map(([text, result]) => [text, result.ok ? result.value : undefined] as const),
  ]);
  return readAll(object, kind, kube, { objects, roles });
};

/** Secret, credential, connection; no request to Azure. `credential` changes with identity and secret. */
export const connect = async (
  kind: RunnableKind,
  reading: RunnableReading,
  kube: Kube,
  deps: Deps,
  identity?: KubeObject,
): Promise<
  | { readonly kind: "connected"; readonly arm: Arm; readonly credential: string }
  | Exclude<Prepared, { kind: "planned" }>
> => {
  const credential = await credentialOf(reading, kube);
  if (credential.kind !== "ok") return credential;
  const version = hashOf([identity?.metadata.uid ?? "", identity?.metadata.generation ?? 0, credential.secret]);
  const connected = await deps.azure.connect({ ...credential.value, version });
  return connected.ok
    ? { kind: "connected", arm: connected.value, credential: version }
    : { kind: "blocked", problems: [problemOf(kind, connected.error)] };
};

/** From what was read to a plan: connection, facts, scope. Nothing is written. */
export const prepare = async (
  kind: RunnableKind,
  reading: RunnableReading,
  kube: Kube,
  deps: Deps,
  identity?: KubeObject,
): Promise<Prepared> => {
  const connected = await connect(kind, reading, kube, deps, identity);
  if (connected.kind !== "connected") return connected;
  const { arm, credential } = connected;
  const facts = await factsOf(reading, arm, deps);
  if (!facts.ok)
    return facts.error.kind === "auth"
      ? { kind: "blocked", problems: [problemOf(kind, facts.error)] }
      : { kind: "failed", failure: facts.error };
  const planned = reading.plan(facts.value);
  return planned.ok
    ? { kind: "planned", planned: planned.value, arm, credential }
    : { kind: "blocked", problems: planned.error, arm };
};

type CredentialOutcome =
  | { readonly kind: "ok"; readonly value: CredentialSpec; readonly secret: string }
  | Exclude<Prepared, { kind: "planned" }>;

const credentialOf = async (reading: RunnableReading, kube: Kube): Promise<CredentialOutcome> => {
  const wanted = reading.secret;
  const secret = wanted === undefined ? undefined : await kube.secret(wanted.namespace, wanted.name);
  if (secret !== undefined && !secret.ok && secret.error.kind !== "gone")
    return { kind: "failed", failure: secret.error };
  const found = secret?.ok === true ? secret.value : undefined;
  const credential = reading.credential(found?.values);
  return credential.ok
    ? { kind: "ok", value: credential.value, secret: found?.version ?? "" }
    : { kind: "blocked", problems: [credential.error] };
};

const problemOf = (kind: RunnableKind, failure: Failure): Problem => ({
  condition: kind.summary,
  severity: "Error",
  reason: failure.code,
  message: failure.message,
});

const factsOf = async (reading: RunnableReading, arm: Arm, deps: Deps): Promise<Result<readonly Fact[]>> => {
  const answers = await Promise.all(reading.facts.map((query) => deps.facts.get(query, arm)));
  const broken = answers.find((answer) => !answer.ok);
  if (broken !== undefined && !broken.ok) return broken;
  return { ok: true, value: answers.flatMap((answer) => (answer.ok ? [answer.value] : [])) };
};
