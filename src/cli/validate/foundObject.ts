import { isScalar } from "yaml";
import { isObject } from "../../api/json.ts";
import type { Json, JsonObject } from "../../core/types.ts";
import { nodeAt } from "./nodeAt.ts";
import type { Location, ReadDocument, TextProblem } from "./readDocuments.ts";

/** Where a field stands, or the nearest parent of one that is not there. */
export interface Spot {
  readonly value: Location;
  readonly key: Location;
  /** A word without quotes as it stands in the file (`1.30`, `yes`), which YAML may have read as something else. */
  readonly word?: string;
}

/** One object of a file as its author wrote it. */
export interface FoundObject {
  readonly file: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty when it has none. */
  readonly name: string;
  /** `default` where none is given, as `kubectl` has it. */
  readonly namespace: string;
  readonly body: JsonObject;
  /** The object as it arrives at the API server: with a namespace. */
  readonly sent: JsonObject;
  readonly at: (path: string) => Spot;
}

/** What tells an object from all others, in whatever version it is written; undefined for one whose name is made for it. */
export const identityOf = ({ apiVersion, kind, namespace, name }: FoundObject): string | undefined =>
  name === "" ? undefined : [apiVersion.split("/").at(-2) ?? "", kind, namespace, name].join(" ");

/** The objects of a document and what keeps others from being objects. */
export interface FoundObjects {
  readonly objects: readonly FoundObject[];
  readonly problems: readonly TextProblem[];
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const spotsOf =
  ({ document, locate }: ReadDocument, root: unknown): FoundObject["at"] =>
  (path) => {
    const { offset, keyOffset, node, left } = nodeAt(document, root, path);
    const word = isScalar(node) && node.type === "PLAIN" && left === "" ? node.source : undefined;
    return { value: locate(offset), key: locate(keyOffset), ...(word !== undefined && { word }) };
  };

const none = (location: Location, message: string): FoundObjects => ({
  objects: [],
  problems: [{ ...location, severity: "error", message }],
});

const notAMapping = (written: Json): string =>
  `not a Kubernetes object, but a ${Array.isArray(written) ? "list" : "single value"}: a mapping with apiVersion, kind and metadata is wanted`;

const objectOf = (file: string, written: Json, at: FoundObject["at"], inherited: JsonObject = {}): FoundObjects => {
  if (!isObject(written)) return none(at("").value, notAMapping(written));
  const value = { ...inherited, ...written };
  const metadata = isObject(value["metadata"]) ? value["metadata"] : {};
  const apiVersion = textOf(value["apiVersion"]);
  const kind = textOf(value["kind"]);
  const missing = Object.entries({ apiVersion, kind }).filter(([, text]) => text === "");
  if (missing.length > 0)
    return none(at("").value, `not a Kubernetes object: it has no ${missing.map(([field]) => field).join(" and no ")}`);
  const name = textOf(metadata["name"]);
  const namespace = textOf(metadata["namespace"]) || "default";
  const sent = isObject(value["metadata"]) ? { ...value, metadata: { ...metadata, namespace } } : value;
  return { objects: [{ file, apiVersion, kind, name, namespace, body: value, sent, at }], problems: [] };
};

/** What items of a list of one kind (`AzureClusterList`) need not say; a plain `List` says nothing of its items. */
const inheritedFrom = ({ apiVersion, kind }: JsonObject): JsonObject => {
  const ofItems = textOf(kind).slice(0, -"List".length);
  return ofItems === "" ? {} : { ...(apiVersion !== undefined && { apiVersion }), kind: ofItems };
};

/** The objects of a document; lists are opened. */
export const objectsOf = (file: string, read: ReadDocument): FoundObjects => {
  const { value, document } = read;
  const { contents } = document;
  const list = isObject(value) && textOf(value["kind"]).endsWith("List") ? value : undefined;
  const items = list?.["items"];
  if (list === undefined || !Array.isArray(items)) return objectOf(file, value, spotsOf(read, contents));
  const found = items.map((item: Json, index) => {
    const { node } = nodeAt(document, contents, `items[${index}]`);
    return objectOf(file, item, spotsOf(read, node ?? contents), inheritedFrom(list));
  });
  return {
    objects: found.flatMap(({ objects }) => objects),
    problems: found.flatMap(({ problems }) => problems),
  };
};
