import type { Resource, World } from "./armState.ts";
import { type JsonObject, textAt } from "./json.ts";
import { operationHeaders, start } from "./operations.ts";
import { durationOf } from "./options.ts";
import { type Answer, refuse } from "./protocol.ts";
import { typeRules } from "./rules.ts";
import { save } from "./store.ts";

/** POST of an action on a resource. One that no rule knows is accepted and changes nothing. */
export const postAction = (world: World, resource: Resource, action: string, body: JsonObject): Answer => {
  const rules = typeRules(resource.type);
  const result = rules.action?.(world, resource, action.toLowerCase(), body) ?? {
    kind: "operation",
    finish: () => undefined,
  };
  if (result.kind === "answer") return result.answer;
  const finish = (nowMs: number): void => {
    if (world.state.resources.get(resource.key) !== resource) return;
    result.finish({ ...world, nowMs });
    save(world.state, resource);
  };
  const duration = durationOf(world.state.options, resource.type, "put");
  if (duration === "sync") {
    if (world.failure !== undefined)
      return refuse(409, textAt(world.failure.error, "code"), textAt(world.failure.error, "message"));
    finish(world.nowMs);
    return { status: 200, ...(result.result === undefined ? {} : { body: result.result }) };
  }
  const operation = start(world, {
    verb: "action",
    resource: resource.key,
    subscription: resource.id.split("/")[2] ?? "",
    namespace: resource.type.split("/")[0]!,
    location: textAt(resource.body, "location"),
    duration,
    retryAfterSeconds: 10,
    failure: world.failure,
    result: () => result.result,
    finish: (nowMs, failure) => {
      if (failure === undefined) finish(nowMs);
    },
  });
  return { status: 202, headers: operationHeaders(operation, "operation", 202) };
};
