import { assertConditions, serviceClaim } from "../core/conditions.ts";
import { canonicalJson } from "../core/hash.ts";
import type { Outcome, Report } from "../core/kind.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { Claim, Failure, Json, JsonObject, KubeObject, Result } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import { conditionEvents } from "./conditionEvents.ts";
import type { Deps } from "./deps.ts";
import { type Held, readObjectRow } from "./fence.ts";
import { managers, manifestOf } from "./manifest.ts";
import { tellEvents } from "./tellEvents.ts";
import { stateOfService, type Work } from "./work.ts";

const conflictsAtOnce = 3;

/** Where and under which lease something is told. */
export interface Speaker {
  readonly kube: Kube;
  readonly deps: Deps;
  readonly held: Held;
}

const same = (left: Json | undefined, right: Json | undefined): boolean =>
  left === right || (left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right));

/** What the services and the kind say together. */
export const claimsOf = (kind: RunnableKind, work: Work, report: Report): readonly Claim[] => [
  ...kind.services.flatMap((service) => serviceClaim(service, stateOfService(work, service)) ?? []),
  ...report.claims,
];

/** Condition types of services that are not used: what one of them said before no longer holds. */
export const silentOf = ({ services }: RunnableKind, work: Work, claims: readonly Claim[]): readonly string[] => {
  const said = new Set(claims.map(({ type }) => type));
  return services
    .filter((service) => stateOfService(work, service).kind === "unused" && !said.has(service.condition))
    .map(({ condition }) => condition);
};

export const outcomeOf = (kind: RunnableKind, work: Work): Outcome => {
  const services = new Map(kind.services.map((service) => [service.name, stateOfService(work, service)] as const));
  const settled = [...services.values()].every(({ kind: state }) => state === "done" || state === "unused");
  return {
    services,
    settled,
    bodies: new Map([...work].flatMap(([key, { body }]) => (body === undefined ? [] : [[key, body] as const]))),
  };
};

/** Fields of the spec that the contract assigns to the provider, written only when they differ. */
export const tellSpec = async (
  object: KubeObject,
  spec: JsonObject,
  { kube }: Speaker,
): Promise<Result<KubeObject>> => {
  const different = Object.entries(spec).some(([name, value]) => !same(object.spec[name], value));
  if (!different) return { ok: true, value: object };
  return kube.apply({ ...manifestOf(object), spec }, { fieldManager: managers.spec });
};

/** Status and conditions, written only when they differ, and events of what begins with them. `retired`: condition types that no longer apply. */
export const tellStatus = async (
  object: KubeObject,
  status: JsonObject,
  claims: readonly Claim[],
  speaker: Speaker,
  retired: readonly string[] = [],
): Promise<Result<KubeObject>> => {
  const nowIso = new Date(speaker.deps.tables.nowMs() ?? 0).toISOString();
  const next = statusOf(object, status, claims, nowIso, retired);
  if (same(object.status, next)) return { ok: true, value: object };
  const told = await applyStatus(
    object,
    (current) => statusOf(current, status, claims, nowIso, retired),
    speaker,
    conflictsAtOnce,
  );
  if (told.ok) await tellEvents(told.value, conditionEvents(object, told.value, claims), speaker);
  return told;
};

const statusOf = (
  object: KubeObject,
  status: JsonObject,
  claims: readonly Claim[],
  nowIso: string,
  retired: readonly string[],
): JsonObject => {
  const conditions = assertConditions(object.status["conditions"], claims, nowIso, retired);
  return withoutEmptyMaps({ ...object.status, ...status, ...(conditions.length === 0 ? {} : { conditions }) });
};

/** Of a map whose entries we give up the API server makes null, which its definition refuses; one that is left out goes. */
const withoutEmptyMaps = (status: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(status).filter(([, value]) => !isJsonObject(value) || Object.keys(value).length > 0),
  );

/** A conflict means that somebody wrote meanwhile: read, see that the lease is still ours, apply again. */
const applyStatus = async (
  object: KubeObject,
  next: (object: KubeObject) => JsonObject,
  speaker: Speaker,
  left: number,
): Promise<Result<KubeObject>> => {
  const { resourceVersion } = object.metadata;
  const manifest = { ...manifestOf(object, { resourceVersion }), status: next(object) };
  const told = await speaker.kube.apply(manifest, { fieldManager: managers.status, subresource: "status" });
  if (told.ok || told.error.kind !== "conflict" || left === 0) return told;
  const read = await speaker.kube.get({
    kind: object.kind,
    namespace: object.metadata.namespace,
    name: object.metadata.name,
  });
  if (!read.ok) return read;
  if (!(await stillHeld(speaker))) return { ok: false, error: leaseLost };
  if (read.value.metadata.uid !== object.metadata.uid) return told;
  return applyStatus(read.value, next, speaker, left - 1);
};

const leaseLost: Failure = {
  kind: "conflict",
  code: "LeaseLost",
  message: "another turn took over while the status was written",
};

const stillHeld = async ({ deps, held }: Speaker): Promise<boolean> => {
  const read = await readObjectRow(deps.tables, held.partition);
  return read.ok && read.value?.row.lease.nonce === held.nonce;
};
