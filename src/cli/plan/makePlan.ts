import { AzureFacts } from "../../adapters/facts.ts";
import { isDeleting } from "../../api/meta.ts";
import { annotations, labels } from "../../core/annotations.ts";
import { idKey } from "../../core/ids.ts";
import { isPaused } from "../../core/inputs.ts";
import type { Fact } from "../../core/kind.ts";
import { project } from "../../core/projection.ts";
import type { Planned, RunnableKind, RunnableReading } from "../../core/runnableKind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { circumstancesOf } from "../../engine/circumstancesOf.ts";
import { judge } from "../../engine/judge.ts";
import type { Arm } from "../../ports.ts";
import { loadSchema } from "../../wire/loadSchema.ts";
import type { ResourceSchema } from "../../wire/schema.ts";
import { azureError, patiently } from "./askAzure.ts";
import { assumedFacts, assumption } from "./assumedFacts.ts";
import type { AzureSettings } from "./azureSettings.ts";
import { type AzureView, emptyAzure, settledAzure } from "./azureView.ts";
import { lookAtAzure, type Progress } from "./lookAtAzure.ts";
import type { ObjectPlan, Remark } from "./objectPlan.ts";
import type { ObjectSource } from "./objectSource.ts";
import type { OpenAzure, OpenedAzure } from "./openAzure.ts";
import type { PlanInput } from "./planInput.ts";
import { emptyPlan, planObject } from "./planObject.ts";
import { type ReadInput, readInput } from "./readInput.ts";
import { wantedByOthers } from "./wantedIds.ts";

/** How plans are made: what they are compared with, and what is assumed. */
export interface Planning {
  readonly kinds: ReadonlyMap<string, RunnableKind>;
  readonly source: ObjectSource;
  readonly settings: Pick<AzureSettings, "subscriptionId" | "watchFilter">;
  /** Undefined: nothing is asked of Azure. */
  readonly openAzure?: OpenAzure | undefined;
  readonly zones?: readonly string[] | undefined;
  /** Plans as if the objects were deleted. */
  readonly deleting?: boolean | undefined;
  /** Resources that are planned as if they were named for adoption, too. */
  readonly adopt?: readonly string[] | undefined;
  readonly progress: Progress;
}

const note = (message: string): Remark => ({ kind: "note", message });

/** Why a turn leaves an object alone; undefined when it does not. */
const whyIgnored = ({ metadata }: KubeObject, { watchFilter }: Planning["settings"]): string | undefined => {
  if (metadata.annotations[annotations.managedBy] !== undefined) return `annotation ${annotations.managedBy} is set`;
  if (metadata.annotations[annotations.deleteForMove] !== undefined) return "it goes because it was moved";
  return watchFilter !== undefined && metadata.labels[labels.watchFilter] !== watchFilter
    ? `label ${labels.watchFilter} is not ${watchFilter}`
    : undefined;
};

/** The object as it would be once somebody had deleted it. */
const asDeleted = (object: KubeObject, { finalizer }: RunnableKind): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    deletionTimestamp: object.metadata.deletionTimestamp ?? "1970-01-01T00:00:00Z",
    finalizers: [...new Set([...object.metadata.finalizers, finalizer])],
  },
});

const factsFrom = async (reading: RunnableReading, arm: Arm): Promise<readonly Fact[]> => {
  const facts = new AzureFacts(() => performance.now());
  return Promise.all(
    reading.facts.map(async (query) => {
      const found = await patiently(() => facts.get(query, arm));
      if (found.ok) return found.value;
      throw azureError(query.kind === "zones" ? `zones of ${query.location}` : `links to ${query.zone}`, found.error);
    }),
  );
};

/** Schemas of everything that a kind makes, and of groups. */
const schemasOf = async ({ services }: RunnableKind): Promise<PlanInput["schema"]> => {
  const types = new Set(["Microsoft.Resources/resourceGroups", ...services.map(({ type }) => type)]);
  const loaded = await Promise.all([...types].map(async (type) => [type, await loadSchema(type)] as const));
  const schemas: ReadonlyMap<string, ResourceSchema> = new Map(loaded);
  return (type) => {
    const schema = schemas.get(type);
    if (schema === undefined) throw new RangeError(`no schema was loaded for ${type}`);
    return schema;
  };
};

/** Which Azure the object is compared with when it is not asked. */
const assumedAzure = (object: KubeObject, planned: Planned): AzureView =>
  isDeleting(object) ? settledAzure(planned) : emptyAzure;

const viewOf = async (
  input: Omit<PlanInput, "azure">,
  opened: OpenedAzure | undefined,
  { kinds, source, settings, progress }: Planning,
): Promise<AzureView> =>
  opened === undefined
    ? assumedAzure(input.object, input.planned)
    : lookAtAzure(
        input,
        opened.arm,
        () => wantedByOthers(input.object, kinds, source, kindSettings(settings)),
        progress,
      );

const kindSettings = ({ subscriptionId }: Planning["settings"]) =>
  subscriptionId === undefined ? {} : { subscriptionId };

const remarksBefore = (
  { object, known }: ReadInput,
  facts: readonly Fact[],
  opened: OpenedAzure | undefined,
  { zones }: Planning,
): readonly Remark[] => {
  const assumed = opened === undefined ? assumption(facts, zones) : undefined;
  const against = isDeleting(object) ? "as if all of it existed" : "as if nothing existed yet";
  return [
    note(opened === undefined ? `Azure is not asked: planned ${against}` : `compared with Azure, read as ${opened.as}`),
    ...(assumed === undefined ? [] : [note(assumed)]),
    ...(isPaused(project(object), known) ? [note("paused: nothing of this is done until it goes on")] : []),
  ];
};

const carriesOn = async (
  read: ReadInput,
  kind: RunnableKind,
  reading: RunnableReading,
  planning: Planning,
): Promise<Result<ObjectPlan, readonly string[]>> => {
  const { object } = read;
  const opened = await planning.openAzure?.(object, reading, planning.source);
  const facts =
    opened === undefined ? assumedFacts(reading.facts, planning.zones) : await factsFrom(reading, opened.arm);
  const planned = reading.plan(facts);
  if (!planned.ok) return { ok: false, error: planned.error.map(({ message }) => message) };
  const circumstances = circumstancesOf(read);
  const adopt = new Set([...circumstances.adopt, ...(planning.adopt ?? []).map(idKey)]);
  const input: Omit<PlanInput, "azure"> = {
    kind,
    object,
    planned: planned.value,
    circumstances: { ...circumstances, adopt },
    schema: await schemasOf(kind),
  };
  const azure = await viewOf(input, opened, planning);
  const { plan, remarks } = planObject({ ...input, azure });
  const unsure =
    azure.namedByOthers === undefined
      ? [note("what only the owner tag shows is left out: whether other objects name it cannot be told")]
      : [];
  return {
    ok: true,
    value: { plan, remarks: [...remarksBefore(read, facts, opened, planning), ...unsure, ...remarks] },
  };
};

/** The plan of one object, or why there is none. Rejects with a `UserError` when something cannot be read. */
export const makePlan = async (
  given: KubeObject,
  kind: RunnableKind,
  planning: Planning,
): Promise<Result<ObjectPlan, readonly string[]>> => {
  const object = planning.deleting === true ? asDeleted(given, kind) : given;
  const why = whyIgnored(object, planning.settings);
  if (why !== undefined) return { ok: true, value: emptyPlan(object, note(`nothing is done: ${why}`)) };
  if (isDeleting(object) && !object.metadata.finalizers.includes(kind.finalizer))
    return { ok: true, value: emptyPlan(object, note("nothing is deleted: it goes without Capstan's finalizer")) };
  const read = await readInput(object, kind, planning.source, kindSettings(planning.settings));
  const reading = kind.read(read.input);
  const problems = isDeleting(object) ? [] : await judge(object, reading);
  return problems.length > 0
    ? { ok: false, error: problems.map(({ message }) => message) }
    : carriesOn(read, kind, reading, planning);
};
