import type { KindEntry } from "../api/registry.ts";
import type { Result } from "../core/types.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";
import { kubeAsk } from "./kubeAsk.ts";
import { collectionPath, queryOf } from "./kubePaths.ts";
import type { ListedPage, ListPageOptions } from "./kubeReader.ts";
import type { KubeTransport } from "./kubeTransport.ts";

const pageSize = 500;

/** What to ask for so that the server leaves spec and status out. */
export const accept = (form: "PartialObjectMetadata" | "PartialObjectMetadataList"): string =>
  `application/json;as=${form};g=meta.k8s.io;v=v1`;

/** One page of a list, straight from the store: no `resourceVersion` is set, so that it is never a stale cache's. */
export const listKubePage = async (
  transport: KubeTransport,
  entry: KindEntry,
  { namespace, labelSelector, metadataOnly, onObject, continueToken, limit = pageSize, signal }: ListPageOptions,
): Promise<Result<ListedPage>> => {
  const query = queryOf({ limit, labelSelector, continue: continueToken });
  const answer = await kubeAsk(
    transport,
    {
      method: "GET",
      path: collectionPath(entry, namespace) + query,
      headers: { Accept: metadataOnly === true ? accept("PartialObjectMetadataList") : "application/json" },
      signal,
    },
    { plural: entry.plural },
  );
  if (!answer.ok) return answer;
  const { items: listed, metadata } = answer.value;
  // An empty list of metadata comes as null.
  const items = listed === null ? [] : listed;
  const { resourceVersion, continue: next } = isJsonObject(metadata) ? metadata : {};
  if (!isJsonList(items) || typeof resourceVersion !== "string") {
    return {
      ok: false,
      error: {
        kind: "transient",
        code: "UnreadableAnswer",
        message: `the API server's list of ${entry.plural} is none`,
      },
    };
  }
  for (const item of items) if (isJsonObject(item)) onObject(item);
  return {
    ok: true,
    value: { resourceVersion, ...(typeof next === "string" && next !== "" && { continueToken: next }) },
  };
};

/**
 * All pages of a list. A continue token that became too old starts the list once more: the pieces would otherwise not be
 * of one moment. `collect` is called anew for each start.
 */
export const listAllKube = async <T>(
  transport: KubeTransport,
  entry: KindEntry,
  options: Omit<ListPageOptions, "onObject" | "continueToken">,
  parse: (object: Parameters<ListPageOptions["onObject"]>[0]) => T | undefined,
): Promise<Result<readonly T[]>> => {
  for (let start = 0; ; start += 1) {
    const found: T[] = [];
    const onObject: ListPageOptions["onObject"] = (object) => {
      const parsed = parse(object);
      if (parsed !== undefined) found.push(parsed);
    };
    let page = await listKubePage(transport, entry, { ...options, onObject });
    while (page.ok && page.value.continueToken !== undefined) {
      const { continueToken } = page.value;
      page = await listKubePage(transport, entry, { ...options, onObject, continueToken });
    }
    if (page.ok) return { ok: true, value: found };
    if (page.error.code !== "Expired" || start > 0) return page;
  }
};
