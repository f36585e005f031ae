import { annotations } from "../core/annotations.ts";
import { childrenText, ownedChildren } from "../core/ownedChildren.ts";
import type { JsonObject, KubeObject, Result } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import { managers, manifestOf } from "./manifest.ts";

/** What Capstan says of itself in the metadata of an object. It is always applied as a whole, else a part would go. */
interface Marks {
  readonly finalizer: string | undefined;
  readonly blockMove: boolean;
  /** Undefined: the annotation was never needed. Empty: it is kept, without a value. */
  readonly children: readonly string[] | undefined;
}

const marksOf = ({ finalizer, blockMove, children }: Marks): JsonObject => ({
  ...(finalizer !== undefined && { finalizers: [finalizer] }),
  annotations: {
    ...(blockMove && { [annotations.blockMove]: "true" }),
    ...(children !== undefined && { [annotations.ownedChildren]: childrenText(children) }),
  },
});

const shownBy = (object: KubeObject): readonly string[] | undefined =>
  object.metadata.annotations[annotations.ownedChildren] === undefined ? undefined : ownedChildren(object);

const isMarked = ({ metadata }: KubeObject, { finalizer, blockMove, children }: Marks): boolean =>
  (finalizer === undefined || metadata.finalizers.includes(finalizer)) &&
  (metadata.annotations[annotations.blockMove] !== undefined) === blockMove &&
  metadata.annotations[annotations.ownedChildren] === (children === undefined ? undefined : childrenText(children));

const mark = async (object: KubeObject, marks: Marks, kube: Kube): Promise<Result<KubeObject>> =>
  isMarked(object, marks)
    ? { ok: true, value: object }
    : kube.apply(manifestOf(object, marksOf(marks)), { fieldManager: managers.metadata });

/** Finalizer and block-move, applied and confirmed before anything is made in Azure. No write when they are there. */
export const claim = (object: KubeObject, finalizer: string, kube: Kube): Promise<Result<KubeObject>> =>
  mark(object, { finalizer, blockMove: true, children: shownBy(object) }, kube);

/** The same, with ids of untaggable children that are about to be made under a foreign parent. */
export const claimChildren = (
  object: KubeObject,
  finalizer: string,
  ids: readonly string[],
  kube: Kube,
): Promise<Result<KubeObject>> =>
  mark(object, { finalizer, blockMove: true, children: [...ownedChildren(object), ...ids] }, kube);

/** Takes ids of children off that are gone or turned out not to be ours; what else stands on the object stays. */
export const disclaimChildren = async (
  object: KubeObject,
  finalizer: string,
  gone: (id: string) => boolean,
  kube: Kube,
): Promise<Result<KubeObject>> => {
  const { blockMove } = annotations;
  const kept = ownedChildren(object).filter((id) => !gone(id));
  if (kept.length === ownedChildren(object).length) return { ok: true, value: object };
  return mark(
    object,
    { finalizer, blockMove: object.metadata.annotations[blockMove] !== undefined, children: kept },
    kube,
  );
};

/** Takes block-move off, so that a paused object may be moved; finalizer and children stay. */
export const allowMove = async (object: KubeObject, finalizer: string, kube: Kube): Promise<Result<KubeObject>> => {
  const finalized = object.metadata.finalizers.includes(finalizer) ? finalizer : undefined;
  return mark(object, { finalizer: finalized, blockMove: false, children: shownBy(object) }, kube);
};

/**
 * Takes finalizer and all else of ours off: the object may go. Objects that were moved, or made by another provider, have
 * the finalizer from another field manager as well, which an apply does not take back.
 */
export const letGo = async (object: KubeObject, finalizer: string, kube: Kube): Promise<Result<void>> => {
  const { kind, metadata } = object;
  if (!metadata.finalizers.includes(finalizer)) return { ok: true, value: undefined };
  const released = await kube.apply(manifestOf(object), { fieldManager: managers.metadata });
  if (!released.ok) return released;
  if (!released.value.metadata.finalizers.includes(finalizer)) return { ok: true, value: undefined };
  const { namespace, name, uid } = metadata;
  return kube.dropFinalizer({ kind, namespace, name }, uid, finalizer);
};
