import { idKey } from "../../core/ids.ts";
import { kinds } from "../../kinds/index.ts";
import { azureSettings } from "../plan/azureSettings.ts";
import { clusterObjects } from "../plan/clusterObjects.ts";
import { fileObjects } from "../plan/fileObjects.ts";
import { openReader } from "../plan/openReader.ts";
import { objectName } from "../plan/renderPlan.ts";
import { wantedIds } from "../plan/wantedIds.ts";
import { UserError } from "../userError.ts";
import type { KubeOptions } from "./cluster.ts";
import { type NamedObject, namedObjects } from "./objectArguments.ts";
import type { Env } from "./settings.ts";

type Options = KubeOptions & { readonly namespace?: string };

/** The first of the ids that an object does not want; undefined when there is none, or when it cannot be told. */
const strangeTo = async (
  { entry: { kind: kindName }, name }: NamedObject,
  ids: readonly string[],
  options: Options,
  env: Env,
): Promise<string | undefined> => {
  const kind = kinds.get(kindName);
  if (kind === undefined) return undefined;
  const reader = await openReader(options);
  const source = clusterObjects(reader.kube, fileObjects([]));
  const namespace = options.namespace ?? reader.namespace;
  const object = await source.get({ kind: kindName, namespace, name });
  const wanted = object && (await wantedIds(object, kind, source, subscriptionIn(env)));
  if (wanted === undefined) return undefined;
  const known = new Set(wanted.map(idKey));
  const strange = ids.find((id) => !known.has(idKey(id)));
  return strange && `${objectName({ kind: kindName, namespace, name })} does not want ${strange}`;
};

const subscriptionIn = (env: Env) => {
  const { subscriptionId } = azureSettings(env);
  return subscriptionId === undefined ? {} : { subscriptionId };
};

/** Why the ids cannot be adopted: an object only takes over what its spec wants. Undefined when that cannot be told. */
export const strangeId = async (
  args: readonly string[],
  ids: readonly string[],
  options: Options,
  env: Env,
): Promise<string | undefined> => {
  const objects = namedObjects(args);
  if (!objects.ok) return undefined;
  for (const object of objects.value) {
    try {
      const found = await strangeTo(object, ids, options, env);
      if (found !== undefined) return `${found}: \`capstan plan --cluster\` lists what it wants`;
    } catch (error) {
      // Who may set an annotation may not be allowed to read everything beside the object.
      if (!(error instanceof UserError)) throw error;
    }
  }
  return undefined;
};
