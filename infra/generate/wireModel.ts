import { join } from "node:path";
import { Extractor } from "./extract.ts";
import { putOperations } from "./putOperations.ts";
import { readModels } from "./sdkModels.ts";
import { markSecrets } from "./secrets.ts";
import { type ProviderTarget, putPath } from "./targets.ts";
import { objectNamesIn, type WireModel, type WireObject, type WireResource } from "./wireTypes.ts";

/** What Azure sets on a resource itself, while on an item inside another body `id` and `name` may be sent. */
const setByAzure = new Set(["id", "name", "type", "etag"]);

const bodyOf = (object: WireObject): WireObject => ({
  name: `${object.name}Body`,
  properties: object.properties.map((property) =>
    setByAzure.has(property.name) ? { ...property, readOnly: true, required: false } : property,
  ),
});

/** The object types that bodies lead to, in the order in which they are met. */
const reachable = (
  objects: ReadonlyMap<string, WireObject>,
  roots: readonly string[],
): ReadonlyMap<string, WireObject> => {
  const found = new Map<string, WireObject>();
  const enter = (name: string): void => {
    const object = objects.get(name);
    if (object === undefined || found.has(name)) return;
    found.set(name, object);
    for (const property of object.properties) objectNamesIn(property.type).forEach(enter);
  };
  roots.forEach(enter);
  return found;
};

/** Folder of an installed package. */
export const packageDir = (name: string): string => join(import.meta.dirname, "..", "..", "node_modules", name);

/** Extracts the wire model of one provider from its installed client package. */
export const wireModel = (provider: ProviderTarget): WireModel => {
  const directory = packageDir(provider.package);
  const models = readModels(directory);
  const findPut = putOperations(directory);
  const extractor = new Extractor(models);
  const bodies = new Map<string, WireObject>();
  const resources = provider.targets.map((target): WireResource => {
    const { serializer, apiVersion } = findPut(putPath(target));
    const name = models.interfaceOf.get(serializer);
    if (name === undefined) throw new Error(`${target.type}: no interface for ${serializer}`);
    extractor.objectOf(name);
    const body = bodyOf(extractor.objects.get(name)!);
    bodies.set(body.name, body);
    return { type: target.type, apiVersion, body: body.name };
  });
  const all = reachable(new Map([...extractor.objects, ...bodies]), [...bodies.keys()]);
  return { resources, objects: new Map([...all].map(([name, object]) => [name, markSecrets(object)])) };
};
