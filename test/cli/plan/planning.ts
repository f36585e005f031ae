import { clusterObjects } from "../../../src/cli/plan/clusterObjects.ts";
import { fileObjects } from "../../../src/cli/plan/fileObjects.ts";
import { makePlan, type Planning } from "../../../src/cli/plan/makePlan.ts";
import type { ObjectPlan, PlanStep } from "../../../src/cli/plan/objectPlan.ts";
import type { ObjectKey } from "../../../src/core/types.ts";
import { kinds } from "../../../src/kinds/index.ts";
import type { Arm } from "../../../src/ports.ts";
import { memoryAzure } from "../../../src/sim/memory/memoryAzure.ts";
import { key as defaultKey } from "../../support/defaultCluster.ts";
import type { World } from "../../support/world.ts";

/** Refuses everything that is not a read. */
const readOnly = (arm: Arm): Arm => {
  const checked = ({ method, path }: { readonly method: string; readonly path: string }): void => {
    if (method !== "GET") throw new Error(`a plan sends ${method} ${path}`);
  };
  return {
    send: (request) => {
      checked(request);
      return arm.send(request);
    },
    poll: () => Promise.reject(new Error("a plan polls")),
    list: (request, mayGoOn) => {
      checked(request);
      return arm.list(request, mayGoOn);
    },
  };
};

export const armIn = async (world: World): Promise<Arm> => {
  const connected = await memoryAzure(world.arm, () => world.clock.nowMs()).connect({
    kind: "workloadIdentity",
    cloud: "AzurePublicCloud",
    tenantId: "t",
    clientId: "reader",
    identity: "default/reader",
    usedBy: "default",
  });
  if (!connected.ok) throw new Error(connected.error.message);
  return readOnly(connected.value);
};

/** Plans with the objects of a world, compared with its Azure. */
export const planningIn = async (world: World, changed: Partial<Planning> = {}): Promise<Planning> => {
  const arm = await armIn(world);
  return {
    kinds,
    source: clusterObjects(world.objects, fileObjects([])),
    settings: {},
    openAzure: () => Promise.resolve({ arm, as: "reader" }),
    progress: () => undefined,
    ...changed,
  };
};

/** The plan of an object of a world, or the problems that keep it from being made. */
export const planIn = async (
  world: World,
  changed: Partial<Planning> = {},
  key: ObjectKey = defaultKey,
): Promise<ObjectPlan> => {
  const object = world.objects.find(key);
  const kind = kinds.get(key.kind);
  if (object === undefined || kind === undefined) throw new Error("no such object");
  const made = await makePlan(object, kind, await planningIn(world, changed));
  if (!made.ok) throw new Error(made.error.join("; "));
  return made.value;
};

/** Steps that would write, in a few words. */
export const writesIn = ({ plan }: ObjectPlan): readonly string[] =>
  plan.steps.filter(({ action }) => action !== "none").map(({ action, id }) => `${action} ${id}`);

/** One step by the end of its id. */
export const stepOf = ({ plan }: ObjectPlan, end: string): PlanStep => {
  const found = plan.steps.find(({ id }) => id.endsWith(end));
  if (found === undefined) throw new Error(`no step for ${end}`);
  return found;
};
