import type { Failure } from "../core/types.ts";
import type { Kube } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { mayWriteKube } from "./session.ts";

const tooLate: Failure = {
  kind: "transient",
  code: "TurnTooLong",
  message: "the turn has taken too long to write to the API server; the next one goes on",
};

/** A port to the API server that starts no write when the turn is too old: another turn may soon have the object. */
export const timedKube = (kube: Kube, turn: { readonly deps: Deps; readonly startedMs: number }): Kube => ({
  get: (key) => kube.get(key),
  list: (kind) => kube.list(kind),
  listMetadata: (kind) => kube.listMetadata(kind),
  secret: (namespace, name) => kube.secret(namespace, name),
  event: (object, event) =>
    mayWriteKube(turn) ? kube.event(object, event) : Promise.resolve({ ok: false, error: tooLate }),
  dropFinalizer: (key, uid, finalizer) =>
    mayWriteKube(turn) ? kube.dropFinalizer(key, uid, finalizer) : Promise.resolve({ ok: false, error: tooLate }),
  apply: (manifest, options) =>
    mayWriteKube(turn) ? kube.apply(manifest, options) : Promise.resolve({ ok: false, error: tooLate }),
});
