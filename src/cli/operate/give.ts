import { userInfo } from "node:os";
import type { KubeOperator } from "../../adapters/kubeOperator.ts";
import type { Failure, Result } from "../../core/types.ts";
import { UserError } from "../userError.ts";
import { type KubeOptions, openCluster } from "./cluster.ts";
import { type NamedObject, namedObjects } from "./objectArguments.ts";
import { type Change, changeOf, type Giver, type Order } from "./orders.ts";

export interface GiveOptions extends KubeOptions {
  readonly namespace?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

/** Where the command writes to. */
export interface Screen {
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

const conflictsAtOnce = 3;
const usage = 2;

const nameOf = ({ entry, name }: NamedObject): string => `${entry.kind.toLowerCase()}.${entry.group}/${name}`;

/** Read, changed and written; once more when somebody wrote in between. */
const giveTo = async (
  { entry, name }: NamedObject,
  namespace: string,
  order: Order,
  giver: Giver,
  dryRun: boolean,
  kube: KubeOperator,
  left = conflictsAtOnce,
): Promise<Result<Change>> => {
  const read = await kube.get(entry, namespace, name);
  if (!read.ok) return read;
  const change = changeOf(order, read.value.metadata.annotations, giver);
  if (!change.ok) throw new UserError(change.error, usage);
  const { name: annotation, value } = change.value;
  if (value === null && read.value.metadata.annotations[annotation] === undefined)
    return { ok: true, value: change.value };
  const written = await kube.annotate(entry, read.value, { [annotation]: value }, { dryRun });
  if (written.ok) return { ok: true, value: change.value };
  return written.error.kind === "conflict" && left > 0
    ? giveTo({ entry, name }, namespace, order, giver, dryRun, kube, left - 1)
    : written;
};

const giverOf = async (kube: KubeOperator, reason: string | undefined): Promise<Giver> => {
  const asked = await kube.whoAmI();
  // An API server that does not tell knows all the same, and its audit log has it.
  const who = asked.ok ? asked.value : userInfo().username;
  return { who, nowMs: Date.now(), ...(reason !== undefined && { reason }) };
};

const wordsOf = ({ code, message }: Failure, namespace: string): string =>
  code === "NotFound" ? `not found in namespace ${namespace}` : message;

/** Gives an order to each of the objects; answers the exit status: 1 when one of them could not be given it. */
export const give = async (
  order: Order,
  args: readonly string[],
  options: GiveOptions,
  { print, complain }: Screen,
): Promise<number> => {
  const objects = namedObjects(args);
  if (!objects.ok) throw new UserError(objects.error, usage);
  // Whatever is wrong with the order is wrong with it for every object.
  const checked = changeOf(order, {}, { who: "", nowMs: 0 });
  if (!checked.ok) throw new UserError(checked.error, usage);
  const kube = await openCluster(options);
  const giver = await giverOf(kube, options.reason);
  const dryRun = options.dryRun === true;
  const namespace = options.namespace ?? kube.namespace;
  let status = 0;
  for (const object of objects.value) {
    const given = await giveTo(object, namespace, order, giver, dryRun, kube);
    if (given.ok) for (const line of given.value.says) print(`${nameOf(object)}: ${line}${dryRun ? " (dry run)" : ""}`);
    else {
      status = 1;
      complain(`error: ${nameOf(object)}: ${wordsOf(given.error, namespace)}`);
    }
  }
  return status;
};
