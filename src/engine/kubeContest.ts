import type { KubeContest } from "../core/guard/kubeWrites.ts";
import { ownersOf } from "../core/guard/specWriters.ts";
import type { KubePart, Said } from "../core/guard/undone.ts";
import type { KubeObject } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { tellEvents } from "./tellEvents.ts";

/** One part of the object that somebody else will not have as Capstan says it. */
export interface Undone {
  readonly part: KubePart;
  /** Paths; never empty. */
  readonly paths: readonly string[];
  readonly said: Said;
  readonly shown: Said;
  /** How often it was said so far. */
  readonly count: number;
  /** When it may be said again. */
  readonly untilMs: number;
}

const longestValue = 200;
const valueText = (said: Said, path: string): string => {
  const text = JSON.stringify(said[path] ?? null);
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
};

/** As the loop guard remembers it until it goes on. */
export const contestOf = ({ part, paths, said, shown, count, untilMs }: Undone, object: KubeObject): KubeContest => {
  const [path = ""] = paths;
  // Nobody has it when it was taken off.
  const others = ownersOf(object.metadata.managedFields ?? [], part, path);
  const change = `${path}: ${valueText(shown, path)} -> ${valueText(said, path)}`;
  const more = paths.length > 1 ? ` and ${paths.length - 1} more` : "";
  const told = `written ${count} times on the object and changed each time by ${others.length === 0 ? "somebody else" : others.join(" and ")}`;
  return {
    reason: part === "spec" ? "SpecContested" : "ReconcileLoop",
    untilMs,
    message: `${told} (${change}${more}); goes on at ${new Date(untilMs).toISOString()}`,
  };
};

/** One line and one event for a part that is held back from now on. */
export const announceContest = async (
  undone: Undone,
  { reason, message }: KubeContest,
  object: KubeObject,
  { kube, deps }: { readonly kube: Kube; readonly deps: Deps },
): Promise<void> => {
  const { part, paths, said, shown, count, untilMs } = undone;
  const [field = ""] = paths;
  const { kind, metadata } = object;
  deps.log("warn", "reconcile loop", {
    object: `${metadata.namespace}/${metadata.name}`,
    kind,
    reason,
    field,
    from: JSON.stringify(shown[field] ?? null),
    to: JSON.stringify(said[field] ?? null),
    count,
    until: new Date(untilMs).toISOString(),
    detail: message,
  });
  await tellEvents(object, [{ type: "Warning", reason, about: part, message }], { kube, deps });
};
