import { annotations, lastAppliedPrefix } from "../core/annotations.ts";
import type { Circumstances } from "../core/circumstances.ts";
import { canonicalJson, hashOf } from "../core/hash.ts";
import { idKey, parseId } from "../core/ids.ts";
import { memberKindOf } from "../core/inputs.ts";
import { ownedChildrenKeys } from "../core/ownedChildren.ts";
import type { Json } from "../core/types.ts";
import type { Present } from "./turning.ts";

const idsIn = (text: string | undefined): ReadonlySet<string> =>
  new Set(
    (text ?? "")
      .split(",")
      .map((id) => idKey(id.trim()))
      .filter((id) => parseId(id) !== undefined),
  );

const writingOf = (values: Readonly<Record<string, string>>): Circumstances["writing"] => {
  if (values[annotations.hold] !== undefined) return "hold";
  return values[annotations.reportOnly] === undefined ? "allowed" : "observe";
};

/** Kinds that an object refers to without being theirs. */
const noAncestors: ReadonlySet<string> = new Set(["AzureClusterIdentity", "Namespace"]);

/** An owner, or the cluster, that is being deleted; members of the object are not above it. */
const ancestorDeleting = ({ object, known }: Present): string | undefined => {
  const found = known.find(
    ({ kind, deleting }) => deleting && !noAncestors.has(kind) && kind !== memberKindOf(object.kind),
  );
  return found && `${found.kind} ${found.namespace}/${found.name}`;
};

/** What ends back-offs and holds early, and what the object says of how to go about its resources. */
export const circumstancesOf = (present: Present, credential = ""): Circumstances => {
  const { object, input, known } = present;
  const ancestor = ancestorDeleting(present);
  const { annotations: values, generation, managedFields } = object.metadata;
  const identity = input.dependencies["identity"]?.metadata;
  const dependencies = known
    .map(
      ({ kind, namespace, name, uid, generation: at, counted }): Json => [
        kind,
        namespace,
        name,
        uid,
        at,
        { ...counted },
      ],
    )
    .toSorted((one, other) => (canonicalJson(one) < canonicalJson(other) ? -1 : 1));
  return {
    retry: values[annotations.retry] ?? "",
    identity: hashOf([identity?.uid ?? "", identity?.generation ?? 0, credential]),
    release: values[annotations.release] ?? "",
    children: ownedChildrenKeys(object),
    generation,
    ...(managedFields !== undefined && { managedFields }),
    dependencies: hashOf(dependencies),
    adopt: idsIn(values[annotations.adopt]),
    writing: writingOf(values),
    lastApplied: Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith(lastAppliedPrefix))),
    ...(ancestor !== undefined && { ancestorDeleting: ancestor }),
  };
};
