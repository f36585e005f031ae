import type { Failure, JsonObject, Result } from "../core/types.ts";

export interface WatchEvent {
  /** A bookmark's object has only `metadata.resourceVersion`. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: JsonObject;
}

/** Which objects, and how much of them. */
export interface KubeSelection {
  readonly kind: string;
  /** Default: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  /** Only `apiVersion`, `kind` and `metadata` of each object; `kind` is then the meta kind. Default: whole objects. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions extends KubeSelection {
  /** Of the list, or of the last event. */
  readonly resourceVersion: string;
  /** Called for each event, in order. What it throws ends the watch and is thrown. */
  readonly onEvent: (event: WatchEvent) => void;
  readonly signal: AbortSignal;
  /** The server ends the watch after it. */
  readonly timeoutSeconds: number;
  /** A watch that brings nothing for so long is given up. Default 150; bookmarks come about once a minute. */
  readonly idleSeconds?: number;
}

/** Why a watch ended. */
export type WatchEnd =
  /** The server closed it: its time was over, or it restarts. Watch again from the last resourceVersion. */
  | { readonly kind: "closed" }
  /** The resourceVersion is too old: list again. */
  | { readonly kind: "expired" }
  | { readonly kind: "aborted" }
  /** Nothing came for `idleSeconds`. Watch again from the last resourceVersion. */
  | { readonly kind: "stalled" }
  /** Refused, broken off, or unreadable. */
  | { readonly kind: "failed"; readonly failure: Failure };

export interface ListPageOptions extends KubeSelection {
  /** Called for each object, so that the caller can keep a projection and let the object go. */
  readonly onObject: (object: JsonObject) => void;
  /** Of the page before. */
  readonly continueToken?: string;
  /** Default 500. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface ListedPage {
  /** Of the list as a whole: where a watch goes on. */
  readonly resourceVersion: string;
  /** Absent on the last page. */
  readonly continueToken?: string;
}

/** Lists and watches of one management cluster. */
export interface KubeReader {
  /** Failure code `Expired`: the continue token is too old, start the list anew. */
  listPage(options: ListPageOptions): Promise<Result<ListedPage>>;
  watchKind(options: WatchOptions): Promise<WatchEnd>;
}
