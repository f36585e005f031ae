/** The type of one value on the wire, as the generator knows it. */
export type WireType =
  | { readonly kind: "string" | "number" | "boolean" | "any" }
  | { readonly kind: "enum"; readonly values: readonly string[]; readonly open: boolean }
  | { readonly kind: "list"; readonly item: WireType }
  | { readonly kind: "map"; readonly value: WireType }
  | { readonly kind: "object"; readonly name: string };

export interface WireProperty {
  readonly name: string;
  readonly type: WireType;
  readonly required: boolean;
  readonly readOnly: boolean;
  /** Never shown again by Azure, and never to be shown by us. */
  readonly secret: boolean;
}

export interface WireObject {
  readonly name: string;
  readonly properties: readonly WireProperty[];
}

export interface WireResource {
  readonly type: string;
  readonly apiVersion: string;
  /** Name of its object type. */
  readonly body: string;
}

/** Everything that is generated for one provider. */
export interface WireModel {
  readonly objects: ReadonlyMap<string, WireObject>;
  readonly resources: readonly WireResource[];
}

/** Names of the object types that a type leads to directly. */
export const objectNamesIn = (type: WireType): readonly string[] => {
  if (type.kind === "object") return [type.name];
  if (type.kind === "list") return objectNamesIn(type.item);
  return type.kind === "map" ? objectNamesIn(type.value) : [];
};
