import { checkedKind } from "../../api/check/checkedKind.ts";
import { storedForm } from "../../api/check/storedForm.ts";
import { isObject, textAt } from "../../api/json.ts";
import type { Json, JsonObject, KubeObject, OwnerReference } from "../../core/types.ts";
import { asCreated, type ManifestObject } from "../manifest.ts";

const textsIn = (value: Json | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

const ownersIn = (value: Json | undefined): readonly OwnerReference[] =>
  (Array.isArray(value) ? (value as readonly Json[]) : []).filter(isObject).flatMap((one) => {
    const [apiVersion, kind, name] = [textAt(one, "apiVersion"), textAt(one, "kind"), textAt(one, "name")];
    if (apiVersion === undefined || kind === undefined || name === undefined) return [];
    const uid = textAt(one, "uid") ?? "";
    return [{ apiVersion, kind, name, uid, ...(one["controller"] === true && { controller: true }) }];
  });

/** What a file of stored objects (`kubectl get -o yaml`) says beyond what a person writes. */
const storedParts = (metadata: JsonObject): Partial<KubeObject["metadata"]> => {
  const uid = textAt(metadata, "uid");
  const deletionTimestamp = textAt(metadata, "deletionTimestamp");
  const { generation } = metadata;
  return {
    ...(uid !== undefined && { uid }),
    ...(typeof generation === "number" && { generation }),
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
    finalizers: textsIn(metadata["finalizers"]),
    ownerReferences: ownersIn(metadata["ownerReferences"]),
  };
};

/** An object of a file as an API server would hold it: defaults in, unknown fields out; what a stored one says of itself counts. */
export const givenObject = (given: ManifestObject): KubeObject => {
  const body = checkedKind(given.kind) === undefined ? given.body : storedForm(given.kind, given.body).object;
  const created = asCreated({ ...given, body });
  const { metadata } = given.body;
  return {
    ...created,
    metadata: { ...created.metadata, ...(isObject(metadata) ? storedParts(metadata) : {}) },
    status: isObject(given.body["status"]) ? given.body["status"] : {},
  };
};
