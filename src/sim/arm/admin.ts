import { type ArmState, createArmState } from "./armState.ts";
import { activeFaults } from "./faults.ts";
import { isObject, type Json, type JsonObject, mergePatch, textAt } from "./json.ts";
import { finishAll } from "./operations.ts";
import type { ArmSimulatorOptions } from "./options.ts";
import { mutateResource, removeResource, SeedError, seedResources } from "./otherWriter.ts";
import { parseFaults } from "./parseFaults.ts";
import type { Answer } from "./protocol.ts";
import { viewOf } from "./view.ts";

/** Empties the simulator: resources, operations, faults and log go, options stay. */
export const resetState = (state: ArmState): void => {
  const { options, ...fresh } = createArmState({ ...state.options, faults: [] });
  for (const store of [state.resources, state.ghosts, state.tombstones, state.references, state.targets]) store.clear();
  for (const store of [state.operations, state.pending, state.buckets, state.registered, state.reservedNics])
    store.clear();
  state.requests.length = 0;
  state.changes.length = 0;
  state.faults = fresh.faults;
  state.options = options;
};

/** Lays options over the present ones. */
export const configure = (state: ArmState, options: ArmSimulatorOptions): void => {
  state.options = { ...state.options, ...options };
  if (options.faults !== undefined) state.faults = activeFaults(options.faults);
};

/** All resources as a reader sees them, below a prefix of the id. */
export const resourceViews = (state: ArmState, nowMs: number, prefix = ""): readonly JsonObject[] => {
  const world = { state, nowMs, apiVersion: "", correlationId: "", identity: "admin", failure: undefined };
  return [...state.resources.values()]
    .filter(({ key }) => key.startsWith(prefix.toLowerCase()))
    .map((resource) => viewOf(world, resource));
};

const applyChange = (state: ArmState, item: JsonObject, nowMs: number): void => {
  const id = textAt(item, "id");
  const { merge, body } = item;
  if (item["delete"] === true) removeResource(state, id, nowMs);
  else if (isObject(merge))
    mutateResource(
      state,
      id,
      (before) => {
        const merged = mergePatch(before, merge);
        return isObject(merged) ? merged : undefined;
      },
      nowMs,
    );
  else seedResources(state, [isObject(body) ? { ...body, id } : { ...item, id }], nowMs);
};

const ok = (body: Json): Answer => ({ status: 200, body });
const wrong = (message: string): Answer => ({ status: 400, body: { error: { code: "BadRequest", message } } });

const changeResources = (state: ArmState, body: Json | undefined, nowMs: number): Answer => {
  const items = (Array.isArray(body) ? body : [body]).filter(isObject);
  try {
    for (const item of items) applyChange(state, item, nowMs);
  } catch (error) {
    if (error instanceof SeedError) return wrong(error.message);
    throw error;
  }
  return ok({ changed: items.length });
};

const setFaults = (state: ArmState, body: Json | undefined): Answer => {
  const parsed = parseFaults(body ?? []);
  if (parsed.kind === "wrong") return wrong(parsed.message);
  state.faults = activeFaults(parsed.faults);
  return ok({ faults: parsed.faults.length });
};

const requestsSince = (state: ArmState, since: number): Answer => {
  const { length } = state.requests;
  // Logged requests are JSON by construction, but for what a validator may have added.
  const requests = JSON.parse(JSON.stringify(state.requests.slice(since))) as Json;
  return ok({ count: length, requests });
};

/** The admin interface below `/_sim/`; undefined when the path is none of it. */
export const adminAnswer = (
  state: ArmState,
  method: string,
  url: URL,
  body: Json | undefined,
  nowMs: number,
): Answer | undefined => {
  switch (`${method} ${url.pathname}`) {
    case "GET /_sim/requests":
      return requestsSince(state, Number(url.searchParams.get("since") ?? 0) || 0);
    case "GET /_sim/resources":
      return ok([...resourceViews(state, nowMs, url.searchParams.get("prefix") ?? "")]);
    case "PUT /_sim/resources":
      return changeResources(state, body, nowMs);
    case "POST /_sim/faults":
      return setFaults(state, body);
    case "PUT /_sim/options":
      if (!isObject(body)) return wrong("options must be an object");
      // The one cast of this boundary: a test sets what it likes, and what it gets wrong only hurts the test.
      configure(state, body as ArmSimulatorOptions);
      return ok({});
    case "POST /_sim/finish":
      finishAll(state);
      return ok({});
    case "POST /_sim/reset":
      resetState(state);
      return ok({});
    default:
      return url.pathname.startsWith("/_sim/")
        ? { status: 404, body: { error: { code: "NotFound", message: `${method} ${url.pathname}` } } }
        : undefined;
  }
};
