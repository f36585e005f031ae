import { isObject } from "../../api/json.ts";
import type { Json, KubeObject, ObjectKey } from "../../core/types.ts";
import { asCreated, type ManifestObject } from "../manifest.ts";
import { givenObject } from "./givenObject.ts";
import type { ObjectSource } from "./objectSource.ts";
import { withOwners } from "./withOwners.ts";

const keyOf = ({ kind, namespace, name }: ObjectKey): string => JSON.stringify([kind, namespace, name]);

/** Namespaces are taken for granted; what a file says of one counts. */
const namespaceObject = ({ name }: ObjectKey): KubeObject =>
  asCreated({ apiVersion: "v1", kind: "Namespace", name, namespace: "", body: {} });

const texts = (value: Json | undefined): readonly (readonly [string, string])[] =>
  isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string")
    : [];

const secretIn = ({ body }: ManifestObject): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ...texts(body["data"]).map(([name, value]) => [name, Buffer.from(value, "base64").toString("utf8")] as const),
    ...texts(body["stringData"]),
  ]);

/** The objects of files as a management cluster would have them, with the owners that Cluster API sets. */
export const fileObjects = (
  given: readonly ManifestObject[],
): ObjectSource & { readonly all: readonly KubeObject[] } => {
  // Where several are alike the last one stays, as after applying them in turn.
  const all = withOwners([...new Map(given.map((one) => [keyOf(one), givenObject(one)])).values()]);
  const found = new Map(all.map((object) => [keyOf({ kind: object.kind, ...object.metadata }), object]));
  const ofCluster = new Map(all.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  return {
    all,
    get: (key) =>
      Promise.resolve(
        key.kind === "Namespace"
          ? (ofCluster.get(`Namespace/${key.name}`) ?? namespaceObject(key))
          : found.get(keyOf(key)),
      ),
    secret: (namespace, name) => {
      const secret = given.findLast((one) => one.kind === "Secret" && one.namespace === namespace && one.name === name);
      return Promise.resolve(secret && secretIn(secret));
    },
    list: (kind) => Promise.resolve(all.filter((object) => object.kind === kind)),
  };
};
