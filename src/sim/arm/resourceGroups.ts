import type { Resource, World } from "./armState.ts";
import { isRegion } from "./catalogue/regions.ts";
import { recordChange, recordRemovals } from "./changes.ts";
import { canonicalLocation } from "./complete.ts";
import { dropWhole } from "./dropWhole.ts";
import { clone, type Json, type JsonObject, propertiesOf, same, textAt } from "./json.ts";
import { operationHeaders, runningOn, start } from "./operations.ts";
import { durationOf } from "./options.ts";
import { type Answer, refuse } from "./protocol.ts";
import { newResource } from "./resource.ts";
import { nameOf } from "./resourceTarget.ts";
import { find, save, seen } from "./store.ts";

const type = "Microsoft.Resources/resourceGroups";

const notFound = (id: string): Answer =>
  refuse(404, "ResourceGroupNotFound", `Resource group '${nameOf(id)}' could not be found.`);

const beingDeleted = (group: Resource | undefined): Answer | undefined =>
  textAt(group?.body, "properties", "provisioningState") === "Deleting"
    ? refuse(
        409,
        "ResourceGroupBeingDeleted",
        `The resource group '${nameOf(group?.id ?? "")}' is in deprovisioning state and cannot perform this operation.`,
      )
    : undefined;

const checkLocation = (world: World, location: string, group: Resource | undefined): Answer | undefined => {
  if (location === "") return refuse(400, "LocationRequired", "The location property is required for this definition.");
  const before = textAt(group?.body, "location");
  if (before !== "" && before !== canonicalLocation(location))
    return refuse(
      409,
      "InvalidResourceGroupLocation",
      `Invalid resource group location '${location}'. The Resource group already exists in location '${before}'.`,
    );
  return isRegion(location) || world.state.options.locations === "any"
    ? undefined
    : refuse(
        400,
        "LocationNotAvailableForResourceGroup",
        `The provided location '${location}' is not available for resource group.`,
      );
};

const putGroup = (world: World, id: string, sent: JsonObject): Answer => {
  const group = find(world.state, id);
  const refusal = beingDeleted(group) ?? checkLocation(world, textAt(sent, "location"), group);
  if (refusal !== undefined) return refusal;
  const before = group === undefined ? undefined : clone(group.body);
  const stored = group ?? newResource(world, id, type, {});
  stored.body = {
    id: stored.id,
    name: nameOf(stored.id),
    type,
    location: canonicalLocation(textAt(sent, "location")),
    ...pick(sent, "tags", "managedBy"),
    properties: { provisioningState: "Succeeded" },
  };
  save(world.state, stored);
  if (!same(before, stored.body)) recordChange(world, stored, before === undefined ? "Create" : "Update", before);
  return { status: before === undefined ? 201 : 200, body: stored.body };
};

const pick = (from: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = from[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );

const patchGroup = (world: World, group: Resource, sent: JsonObject): Answer => {
  const refusal = beingDeleted(group);
  if (refusal !== undefined) return refusal;
  const before = clone(group.body);
  Object.assign(group.body, pick(sent, "tags", "managedBy"));
  recordChange(world, group, "Update", before);
  return { status: 200, body: group.body };
};

const deleteGroup = (world: World, group: Resource): Answer => {
  const running = runningOn(world.state, group.operation);
  if (running?.verb === "delete") return { status: 202, headers: operationHeaders(running, "location", 202) };
  const duration = durationOf(world.state.options, type, "delete");
  const finish = (nowMs: number): void => {
    if (find(world.state, group.id) !== group) return;
    recordRemovals({ ...world, nowMs }, group);
    dropWhole({ ...world, nowMs }, group);
  };
  if (duration === "sync") {
    finish(world.nowMs);
    return { status: 200 };
  }
  propertiesOf(group.body)["provisioningState"] = "Deleting";
  const operation = start(world, {
    verb: "delete",
    resource: group.key,
    subscription: group.id.split("/")[2] ?? "",
    namespace: "",
    location: textAt(group.body, "location"),
    duration,
    retryAfterSeconds: 15,
    failure: world.failure,
    result: () => undefined,
    finish: (nowMs, failure) => {
      group.operation = undefined;
      if (failure === undefined) finish(nowMs);
      else propertiesOf(group.body)["provisioningState"] = "Succeeded";
    },
  });
  group.operation = operation.id;
  return { status: 202, headers: operationHeaders(operation, "location", 202) };
};

/** Every request for a resource group itself. */
export const resourceGroup = (world: World, method: string, id: string, sent: JsonObject): Answer => {
  const group = find(world.state, id);
  const shown = seen(world, id);
  switch (method) {
    case "HEAD":
      return { status: shown === undefined ? 404 : 204 };
    case "PUT":
      return putGroup(world, id, sent);
    case "GET":
      return shown === undefined ? notFound(id) : { status: 200, body: shown.body };
    case "PATCH":
      return group === undefined ? notFound(id) : patchGroup(world, group, sent);
    case "DELETE":
      return group === undefined ? notFound(id) : deleteGroup(world, group);
    default:
      return refuse(405, "MethodNotAllowed", `${method} is not supported for resource groups.`);
  }
};
