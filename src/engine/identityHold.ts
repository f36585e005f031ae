import { identityFinalizers, identityKind, namesakesOf } from "../core/identityFinalizer.ts";
import { project } from "../core/projection.ts";
import type { KubeObject, ObjectKey, Result } from "../core/types.ts";
import { keyOf } from "../core/workItem.ts";
import type { Kube, TableAction } from "../ports.ts";
import type { Held } from "./fence.ts";
import { deletionOfIdentity, identityNameOf, savingOfIdentity } from "./identityRow.ts";
import { manifestOf } from "./manifest.ts";
import { type Recorded, recordRows } from "./recordRows.ts";
import { type Ending, type Present, surroundings, type Turning } from "./turning.ts";

/** An identity that cannot go before the object does. */
export interface Kept {
  readonly kind: "kept";
  readonly held: Held;
  /** Not confirmed when the answer does not show the finalizer: somebody may keep taking it off. */
  readonly confirmed: boolean;
  /** To be stored by the commit. */
  readonly rows: readonly TableAction[];
}

/** One manager for each user of an identity: an apply takes back what the same manager said before. */
const managerOf = (finalizer: string): string => `capstan-identity-${finalizer.split("/").at(-1)}`;

const has = ({ metadata }: Pick<KubeObject, "metadata">, finalizer: string): boolean =>
  metadata.finalizers.includes(finalizer);

/**
 * Puts the object's finalizer on its identity, before anything is made in Azure, and takes it off any other that has it. No
 * call when it is there and known to be nowhere else. An identity that goes and lacks it takes no finalizer any more; its
 * kind says so before it comes to this.
 */
export const keepIdentity = async (turning: Turning, { input }: Present): Promise<Kept | Ending> => {
  const { item, kube, held, onlyIdentity } = turning;
  const finalizers = identityFinalizers(keyOf(item));
  const identity = input.dependencies["identity"];
  if (finalizers === undefined || identity === undefined) return { kind: "kept", held, confirmed: true, rows: [] };
  const name = identityNameOf(identity);
  const isOnly = onlyIdentity === name && !has(identity, finalizers.former);
  if (isOnly && has(identity, finalizers.current)) return { kind: "kept", held, confirmed: true, rows: [] };
  // From now on any identity may have it, until the turn commits: a crash between the two finalizers must not leave a row
  // behind that knows of one only.
  const doubted: Recorded | Ending =
    isOnly || onlyIdentity === undefined
      ? { kind: "recorded", held }
      : await recordRows(turning, [deletionOfIdentity()]);
  if (doubted.kind !== "recorded") return doubted;
  const set = has(identity, finalizers.current)
    ? { ok: true as const, value: identity }
    : await put(identity, finalizers.current, kube);
  if (!set.ok) return surroundings(doubted.held, set.error);
  const released = isOnly ? set : await releaseIdentities(turning, name);
  if (!released.ok) return surroundings(doubted.held, released.error);
  const rows = isOnly ? [] : [savingOfIdentity(name)];
  return { kind: "kept", held: doubted.held, confirmed: has(set.value, finalizers.current), rows };
};

const put = (identity: KubeObject, finalizer: string, kube: Kube): Promise<Result<KubeObject>> =>
  kube.apply(manifestOf(identity, { finalizers: [finalizer] }), { fieldManager: managerOf(finalizer) });

/**
 * Takes the object's finalizers off all identities but the one named; the former one goes from that, too. An identity that
 * is gone meanwhile is fine. Costs a list of metadata, and one read for each other object that may have the same finalizer.
 */
export const releaseIdentities = async (
  { item, kube }: Pick<Turning, "item" | "kube">,
  except?: string,
): Promise<Result<void>> => {
  const key = keyOf(item);
  const finalizers = identityFinalizers(key);
  if (finalizers === undefined) return { ok: true, value: undefined };
  const listed = await kube.listMetadata(identityKind);
  if (!listed.ok) return listed;
  for (const identity of listed.value) {
    const stays = (finalizer: string): boolean =>
      finalizer === finalizers.current && identityNameOf(identity) === except;
    const theirs = [finalizers.current, finalizers.former].filter((one) => has(identity, one) && !stays(one));
    const released = await release(identity, theirs, key, kube);
    if (!released.ok) return released;
  }
  return { ok: true, value: undefined };
};

const release = async (
  { metadata: { namespace, name, uid } }: Pick<KubeObject, "metadata">,
  finalizers: readonly string[],
  key: ObjectKey,
  kube: Kube,
): Promise<Result<void>> => {
  if (finalizers.length === 0) return { ok: true, value: undefined };
  const identity: ObjectKey = { kind: identityKind, namespace, name };
  const needed = await isNeeded(identity, key, kube);
  if (!needed.ok) return needed;
  if (needed.value) return { ok: true, value: undefined };
  for (const finalizer of finalizers) {
    const dropped = await kube.dropFinalizer(identity, uid, finalizer);
    if (!dropped.ok && dropped.error.kind !== "gone") return dropped;
  }
  return { ok: true, value: undefined };
};

/** Whether another object whose finalizer is spelt the same uses it. */
const isNeeded = async (identity: ObjectKey, key: ObjectKey, kube: Kube): Promise<Result<boolean>> => {
  for (const other of namesakesOf(key)) {
    const read = await kube.get(other);
    if (!read.ok && read.error.kind !== "gone") return read;
    const used = read.ok ? project(read.value).references["identityRef"] : undefined;
    if (used?.namespace === identity.namespace && used.name === identity.name) return { ok: true, value: true };
  }
  return { ok: true, value: false };
};
