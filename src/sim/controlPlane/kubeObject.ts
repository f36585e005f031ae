import { parseAllDocuments } from "yaml";

/** A Kubernetes object in wire form, as far as the local control plane looks into it. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

const isKubeObject = (value: unknown): value is KubeObject => {
  const object = value as Partial<KubeObject> | null;
  return (
    typeof object?.apiVersion === "string" &&
    typeof object.kind === "string" &&
    typeof object.metadata?.name === "string"
  );
};

/** The objects of a YAML text with any number of documents. Empty documents are skipped; anything else that is no object fails, named by `origin`. */
export const parseObjects = (text: string, origin: string): readonly KubeObject[] =>
  parseAllDocuments(text).flatMap((document) => {
    const error = document.errors?.[0];
    if (error !== undefined) throw new Error(`${origin}: ${error.message}`);
    const value: unknown = document.toJS();
    if (value === null || value === undefined) return [];
    if (!isKubeObject(value)) throw new Error(`${origin}: a document is not a Kubernetes object`);
    return [value];
  });

/** The object with labels added. */
export const withLabels = (object: KubeObject, labels: Readonly<Record<string, string>>): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, labels: { ...object.metadata.labels, ...labels } },
});
