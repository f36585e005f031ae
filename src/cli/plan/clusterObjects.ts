import type { Failure, KubeObject, ObjectKey } from "../../core/types.ts";
import type { Kube } from "../../ports.ts";
import { UserError } from "../userError.ts";
import { appliedOver } from "./appliedOver.ts";
import type { fileObjects } from "./fileObjects.ts";
import type { ObjectSource } from "./objectSource.ts";
import { cannotPlanStatus } from "./planOptions.ts";

const unreadable = (what: string, { message }: Failure): UserError =>
  new UserError(`${what} cannot be read from the management cluster: ${message}`, cannotPlanStatus);

const nameOf = ({ kind, namespace, name }: ObjectKey): string =>
  `${kind} ${namespace === "" ? name : `${namespace}/${name}`}`;

/** Objects of a management cluster, with those of files applied over them. */
export const clusterObjects = (
  kube: Pick<Kube, "get" | "secret" | "list">,
  files: ReturnType<typeof fileObjects>,
): ObjectSource => {
  const read = new Map<string, Promise<KubeObject | undefined>>();
  const fetch = async (key: ObjectKey): Promise<KubeObject | undefined> => {
    const found = await kube.get(key);
    if (found.ok) return found.value;
    if (found.error.kind === "gone") return undefined;
    // Who may only work in one namespace may not read it; without its labels only selectors do not match.
    if (key.kind === "Namespace" && found.error.kind === "auth") return files.get(key);
    throw unreadable(nameOf(key), found.error);
  };
  const stored = (key: ObjectKey): Promise<KubeObject | undefined> => {
    const text = JSON.stringify([key.kind, key.namespace, key.name]);
    const one = read.get(text) ?? fetch(key);
    read.set(text, one);
    return one;
  };
  const get = async (key: ObjectKey): Promise<KubeObject | undefined> => {
    const before = await stored(key);
    const given = key.kind === "Namespace" ? undefined : await files.get(key);
    if (before === undefined || given === undefined) return before ?? given;
    return appliedOver(before, given);
  };
  return {
    get,
    secret: async (namespace, name) => {
      const given = await files.secret(namespace, name);
      if (given !== undefined) return given;
      const found = await kube.secret(namespace, name);
      if (found.ok) return found.value.values;
      if (found.error.kind === "gone") return undefined;
      throw unreadable(`Secret ${namespace}/${name}`, found.error);
    },
    list: async (kind) => {
      const listed = await kube.list(kind);
      if (!listed.ok && listed.error.kind !== "auth") throw unreadable(`the list of ${kind}`, listed.error);
      return listed.ok ? listed.value : undefined;
    },
  };
};
