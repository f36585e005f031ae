import { annotations, lastAppliedPrefix } from "../core/annotations.ts";
import { childrenText, ownedChildren } from "../core/ownedChildren.ts";
import type { Failure, JsonObject, KubeObject, Result } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import { managers, manifestOf } from "./manifest.ts";

/** What Capstan says of itself in the metadata of an object. It is always applied as a whole, else a part would go. */
interface Marks {
  readonly finalizer: string | undefined;
  readonly blockMove: boolean;
  /** Undefined: the annotation was never needed. Empty: it is kept, without a value. */
  readonly children: readonly string[] | undefined;
  /** Upstream's annotations of what was applied last, all that are there. */
  readonly lastApplied: Readonly<Record<string, string>>;
}

const marksOf = ({ finalizer, blockMove, children, lastApplied }: Marks): JsonObject => ({
  ...(finalizer !== undefined && { finalizers: [finalizer] }),
  annotations: {
    ...(blockMove && { [annotations.blockMove]: "true" }),
    ...(children !== undefined && { [annotations.ownedChildren]: childrenText(children) }),
    ...lastApplied,
  },
});

/** Annotations of ours as the object has them. */
const shownBy = (object: KubeObject): Pick<Marks, "children" | "lastApplied"> => {
  const { annotations: all } = object.metadata;
  return {
    children: all[annotations.ownedChildren] === undefined ? undefined : ownedChildren(object),
    lastApplied: Object.fromEntries(Object.entries(all).filter(([name]) => name.startsWith(lastAppliedPrefix))),
  };
};

const isMarked = ({ metadata }: KubeObject, { finalizer, blockMove, children, lastApplied }: Marks): boolean =>
  Object.entries(lastApplied).every(([name, text]) => metadata.annotations[name] === text) &&
  (finalizer === undefined || metadata.finalizers.includes(finalizer)) &&
  (metadata.annotations[annotations.blockMove] !== undefined) === blockMove &&
  metadata.annotations[annotations.ownedChildren] === (children === undefined ? undefined : childrenText(children));

const mark = async (object: KubeObject, marks: Marks, kube: Kube): Promise<Result<KubeObject>> =>
  isMarked(object, marks)
    ? { ok: true, value: object }
    : kube.apply(manifestOf(object, marksOf(marks)), { fieldManager: managers.metadata });

/** The same, and nothing may be made in Azure unless the answer shows it: somebody may keep taking it off. */
const confirm = async (object: KubeObject, marks: Marks, kube: Kube): Promise<Result<KubeObject>> => {
  const marked = await mark(object, marks, kube);
  return !marked.ok || isMarked(marked.value, marks) ? marked : { ok: false, error: contested };
};

const contested: Failure = {
  kind: "conflict",
  code: "ReconcileLoop",
  message:
    "finalizer or annotations of Capstan are taken off each time they are set; nothing is made in Azure without them",
};

/** An object with or without what has to stand on it before anything is made in Azure. */
export interface Claimed {
  readonly object: KubeObject;
  readonly confirmed: boolean;
}

/**
 * Finalizer and block-move, applied before anything is made in Azure. No write when they are there. Not confirmed when
 * the answer does not show them: somebody may keep taking them off.
 */
export const claim = async (object: KubeObject, finalizer: string, kube: Kube): Promise<Result<Claimed>> => {
  const marks = { ...shownBy(object), finalizer, blockMove: true };
  const marked = await mark(object, marks, kube);
  return marked.ok ? { ok: true, value: { object: marked.value, confirmed: isMarked(marked.value, marks) } } : marked;
};

/** The same, with ids of untaggable children that are about to be made under a foreign parent. */
export const claimChildren = (
  object: KubeObject,
  finalizer: string,
  ids: readonly string[],
  kube: Kube,
): Promise<Result<KubeObject>> =>
  confirm(
    object,
    { ...shownBy(object), finalizer, blockMove: true, children: [...ownedChildren(object), ...ids] },
    kube,
  );

/** What a turn has learnt that has to stand on the object, because the tables may be lost. */
export interface Learnt {
  /** Children that are gone or turned out not to be ours. */
  readonly gone: (id: string) => boolean;
  /** Untaggable children of ours that turned out to be under a foreign parent. */
  readonly abroad?: readonly string[];
  /** New texts of upstream's annotations of what was applied last. */
  readonly lastApplied?: Readonly<Record<string, string>>;
  /** Block-move is said with the rest, also when somebody has taken it off meanwhile. Default: as the object has it. */
  readonly blockMove?: true;
}

/** Writes down what was learnt; what else of ours stands on the object stays. No write when it says all that already. */
export const noteOnObject = async (
  object: KubeObject,
  finalizer: string,
  { gone, abroad = [], lastApplied = {}, blockMove: said }: Learnt,
  kube: Kube,
): Promise<Result<KubeObject>> => {
  const shown = shownBy(object);
  const blockMove = said === true || object.metadata.annotations[annotations.blockMove] !== undefined;
  const left = [...ownedChildren(object), ...abroad].filter((id) => !gone(id));
  const children = shown.children === undefined && left.length === 0 ? undefined : left;
  return mark(object, { finalizer, blockMove, children, lastApplied: { ...shown.lastApplied, ...lastApplied } }, kube);
};

/** Takes block-move off, so that a paused object may be moved; finalizer and children stay. */
export const allowMove = async (object: KubeObject, finalizer: string, kube: Kube): Promise<Result<KubeObject>> => {
  const finalized = object.metadata.finalizers.includes(finalizer) ? finalizer : undefined;
  return mark(object, { ...shownBy(object), finalizer: finalized, blockMove: false }, kube);
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
