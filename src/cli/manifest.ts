import { readFile } from "node:fs/promises";
import { type Document, parseAllDocuments } from "yaml";
import { isObject } from "../api/json.ts";
import type { Json, JsonObject, KubeObject } from "../core/types.ts";
import { fillVariables } from "./fillVariables.ts";
import { UserError } from "./userError.ts";

/** One object of a manifest as its author wrote it. */
export interface ManifestObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** `default` where none is given; Kubernetes ignores it for kinds without namespaces. */
  readonly namespace: string;
  readonly body: JsonObject;
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;

const objectOf = (value: Json, where: string): ManifestObject => {
  if (!isObject(value)) throw new UserError(`${where}: not a Kubernetes object`);
  const metadata = isObject(value["metadata"]) ? value["metadata"] : {};
  const [apiVersion, kind, name] = [textOf(value["apiVersion"]), textOf(value["kind"]), textOf(metadata["name"])];
  const missing = Object.entries({ apiVersion, kind, "metadata.name": name }).filter(([, it]) => it === undefined);
  if (apiVersion === undefined || kind === undefined || name === undefined)
    throw new UserError(`${where}: the object has no ${missing.map(([field]) => field).join(", ")}`);
  return { apiVersion, kind, name, namespace: textOf(metadata["namespace"]) ?? "default", body: value };
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split("\n").length;

/** A document as JSON. Fails where its aliases lead nowhere, to themselves or to too much. */
const jsonOf = (document: Document.Parsed, where: string): Json => {
  try {
    // The cast: JSON is JSON.
    return JSON.parse(JSON.stringify(document.toJS())) as Json;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new UserError(`${where}: not YAML that JSON can say: ${said.split("\n")[0]}`);
  }
};

/**
 * The objects of a YAML text, merge keys resolved as `kubectl` does. Fails with file, line and what is wrong there.
 */
export const parseManifest = (text: string, file: string): readonly ManifestObject[] =>
  parseAllDocuments(text, { merge: true }).flatMap((document) => {
    const error = document.errors?.[0];
    if (error !== undefined) {
      const line = error.linePos?.[0].line ?? lineAt(text, error.pos[0]);
      throw new UserError(`${file}:${line}: not YAML: ${error.message.split(" at line ")[0]}`);
    }
    const where = `${file}:${lineAt(text, document.contents?.range?.[0] ?? 0)}`;
    const value = jsonOf(document, where);
    if (value === null) return [];
    const items = isObject(value) && value["kind"] === "List" ? value["items"] : undefined;
    return Array.isArray(items) ? items.map((item: Json) => objectOf(item, where)) : [objectOf(value, where)];
  });

/** Reads a manifest and fills its variables. Fails, as a `UserError`, with the file and what is wrong with it. */
export const readManifest = async (
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly ManifestObject[]> => {
  const template = await readFile(file, "utf8").catch((error: unknown) => {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new UserError(code === "ENOENT" ? `${file}: no such file` : `${file}: cannot be read: ${code}`);
  });
  const filled = fillVariables(template, env);
  if (!filled.ok) throw new UserError(`${file}: ${filled.error}`);
  const objects = parseManifest(filled.value, file);
  if (objects.length === 0) throw new UserError(`${file}: holds no object`);
  return objects;
};

/**
 * Bodies for `kubectl apply`, one document each. JSON, because `kubectl` reads a plain `yes` or `on` of YAML as true; no
 * `List`, whose items `kubectl` validates without the defaults of required fields.
 */
export const asDocuments = (bodies: readonly JsonObject[]): string =>
  bodies.map((body) => JSON.stringify(body)).join("\n---\n");

const stringsOf = (value: Json | undefined): Readonly<Record<string, string>> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      )
    : {};

/** The object as an API server that had just taken it would show it. */
export const asCreated = ({ apiVersion, kind, name, namespace, body }: ManifestObject): KubeObject => {
  const metadata = isObject(body["metadata"]) ? body["metadata"] : {};
  const spec = body["spec"];
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      namespace,
      uid: `${kind}/${namespace}/${name}`,
      generation: 1,
      resourceVersion: "1",
      labels: stringsOf(metadata["labels"]),
      annotations: stringsOf(metadata["annotations"]),
      finalizers: [],
      ownerReferences: [],
    },
    spec: isObject(spec) ? spec : {},
    status: {},
  };
};
