import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { apiVersions } from "../../src/wire/generated/apiVersions.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { type NodeRef, nodeOf, type ObjectNode, type ResourceSchema } from "../../src/wire/schema.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

/** The part of the reference format (Azure's published type files) that is compared. */
interface Reference {
  readonly $ref: string;
}
interface ReferenceType {
  readonly $type: string;
  readonly sensitive?: true;
  readonly itemType?: Reference;
  readonly body?: Reference;
  readonly additionalProperties?: Reference;
  readonly baseProperties?: Readonly<Record<string, ReferenceProperty>>;
  readonly properties?: Readonly<Record<string, ReferenceProperty>>;
}
interface ReferenceProperty {
  readonly type: Reference;
  readonly flags: number;
}
interface ReferenceIndex {
  readonly resources: Readonly<Record<string, { readonly file: string; readonly ref: number }>>;
}

const kinds: Readonly<Record<string, string>> = {
  StringType: "string",
  StringLiteralType: "string",
  UnionType: "string",
  IntegerType: "number",
  BooleanType: "boolean",
  AnyType: "any",
  ArrayType: "list",
  ObjectType: "object",
};
const place = (reference: Reference): number => Number(reference.$ref.slice(2));
const readJson = <T>(file: string): T => JSON.parse(readFileSync(file, "utf8")) as T;

/** Walks our schema and the reference side by side and names each difference. */
class Comparison {
  readonly differences: string[] = [];
  readonly #seen = new Set<string>();
  readonly #ours: ResourceSchema;
  readonly #theirs: readonly ReferenceType[];

  constructor(ours: ResourceSchema, theirs: readonly ReferenceType[]) {
    this.#ours = ours;
    this.#theirs = theirs;
  }

  compare(ref: NodeRef, reference: number, at: string, readOnly: boolean): void {
    const key = `${ref} ${reference} ${readOnly}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const [node, type] = [nodeOf(this.#ours, ref), this.#theirs[reference]!];
    // Both sides may leave the shape of something that is only read open.
    if (readOnly && (node.kind === "any" || type.$type === "AnyType")) return;
    if (node.kind !== kinds[type.$type]) this.differences.push(`${at}: ${node.kind}, not ${type.$type}`);
    else if (node.kind === "list") this.compare(node.item, place(type.itemType!), `${at}[]`, readOnly);
    else if (node.kind === "object") this.#compareObjects(node, type, at, readOnly);
  }

  #compareObjects(node: ObjectNode, type: ReferenceType, at: string, readOnly: boolean): void {
    if (node.additional !== undefined && type.additionalProperties !== undefined)
      this.compare(node.additional, place(type.additionalProperties), `${at}.*`, readOnly);
    else if (node.additional !== undefined || type.additionalProperties !== undefined)
      this.differences.push(`${at}: a map on one side only`);
    const theirs = { ...type.baseProperties, ...type.properties };
    for (const name of new Set([...Object.keys(node.properties), ...Object.keys(theirs)])) {
      const [mine, other, path] = [node.properties[name], theirs[name], `${at}.${name}`];
      if (mine === undefined || other === undefined) {
        this.differences.push(`${path}: on one side only`);
        continue;
      }
      const flags = (mine.required === true ? 1 : 0) + (mine.readOnly === true ? 2 : 0);
      // Below something that is only read, flags say nothing.
      if (!readOnly && flags !== (other.flags & 3))
        this.differences.push(`${path}: flags ${flags}, not ${other.flags & 3}`);
      if (this.#theirs[place(other.type)]!.sensitive === true && mine.secret !== true)
        this.differences.push(`${path}: not marked as a secret`);
      this.compare(mine.node, place(other.type), path, readOnly || mine.readOnly === true);
    }
  }
}

/**
 * A resource's own name, id, type and etag are read-only: Azure takes them from the URL. The reference calls some of
 * them writable (a child's `name` and `id` are, inside its parent's body) and counts the api-version as a property.
 */
const identity = /^\.(id|name|type|etag): flags 2, not [01]$|^\.apiVersion: on one side only$/;
/** Published as writable, but what the extension reports about itself. */
const statuses = ".properties.statuses: flags 2, not 0";

const compareAll = async (folder: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const directory = join(sharedDir, "tools", "arm-validate", folder);
  const { resources } = readJson<ReferenceIndex>(join(directory, "index.json"));
  const compared = new Map<string, readonly string[]>();
  for (const [type, apiVersion] of Object.entries(apiVersions)) {
    const entry = resources[`${type}@${apiVersion}`.toLowerCase()];
    if (entry === undefined) continue;
    const types = readJson<readonly ReferenceType[]>(join(directory, entry.file));
    const schema = await loadSchema(type);
    const comparison = new Comparison(schema, types);
    comparison.compare(schema.body, place(types[entry.ref]!.body!), "", false);
    compared.set(
      type,
      comparison.differences.filter((difference) => !identity.test(difference) && difference !== statuses),
    );
  }
  return compared;
};

/** Types of `src/wire/extra`, which no installed client package has. */
const handWritten = [
  "Microsoft.Authorization/roleAssignments",
  "Microsoft.ContainerService/fleets/members",
  "Microsoft.KubernetesConfiguration/extensions",
  "Microsoft.ManagedIdentity/userAssignedIdentities",
];
/** The reference has one record type for all. */
const otherRecord = "Microsoft.Network/privateDnsZones/AAAA";

describeWithShared("the wire schemas", () => {
  it("equal the types of the client packages as another extraction reads them", async () => {
    const compared = await compareAll("sdk-types");
    expect(Object.fromEntries([...compared].filter(([, differences]) => differences.length > 0))).toEqual({});
    expect(Object.keys(apiVersions).filter((type) => !compared.has(type))).toEqual([...handWritten, otherRecord]);
  });
  it("equal Azure's published types where the api-version is the same", async () => {
    const compared = await compareAll("types");
    expect(Object.fromEntries([...compared].filter(([, differences]) => differences.length > 0))).toEqual({});
    expect(handWritten.filter((type) => !compared.has(type))).toEqual([]);
  });
});
