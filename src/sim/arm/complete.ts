import type { Resource, World } from "./armState.ts";
import { nextGuid, nextNumber } from "./armState.ts";
import { applyFields } from "./fieldRules.ts";
import { clone, isObject, type Json, type JsonObject, listAt, objectAt, propertiesOf, textAt } from "./json.ts";
import { nameOf } from "./resourceTarget.ts";
import type { ChildRules, Draft, TypeRules } from "./typeRules.ts";

/** Azure shows regions in one word and lower case, however they were written. */
export const canonicalLocation = (location: string): string => location.toLowerCase().replaceAll(" ", "");

/** An etag in the form of the provider. */
export const newEtag = (world: World, rules: TypeRules): string => {
  if (rules.etag === "quoted") return `"${nextNumber(world.state)}"`;
  const guid = nextGuid(world.state);
  return rules.etag === "weak" ? `W/"${guid}"` : guid;
};

/** Writes the etag of a resource where its provider shows it, children included. */
export const stampEtag = (rules: TypeRules, body: JsonObject, etag: string): void => {
  if (rules.etag === undefined || rules.etag === "none") return;
  body[rules.etag === "eTag" ? "eTag" : "etag"] = etag;
  if (rules.etag !== "weak") return;
  for (const child of namedChildren(rules, body)) {
    child["etag"] = etag;
    for (const delegation of listAt(child, "properties", "delegations")) delegation["etag"] = etag;
  }
};

/** All children of a body that have ids of their own. */
export const namedChildren = (rules: TypeRules, body: JsonObject): readonly JsonObject[] =>
  (rules.children ?? []).flatMap((child) => listAt(body, "properties", child.collection));

/** Sets `provisioningState` of a resource and of every child that has none of its own business. */
export const stampState = (rules: TypeRules, body: JsonObject, state: string): void => {
  if (rules.hasState === false) return;
  propertiesOf(body)["provisioningState"] = state;
  for (const child of namedChildren(rules, body)) propertiesOf(child)["provisioningState"] = state;
};

const completeChildren = (draft: Draft, child: ChildRules): void => {
  const { rules, body, existing, world } = draft;
  const properties = propertiesOf(body);
  const before = listAt(existing?.body, "properties", child.collection);
  if (properties[child.collection] === undefined || properties[child.collection] === null) {
    delete properties[child.collection];
    if (child.keptSince !== undefined && world.apiVersion >= child.keptSince && before.length > 0)
      properties[child.collection] = clone(before);
    else if (child.always && (world.state.options.defaults ?? "azure") === "azure") properties[child.collection] = [];
  }
  for (const item of listAt(body, "properties", child.collection)) {
    const segment = child.segment ?? child.collection;
    item["id"] = `${textAt(body, "id")}/${segment}/${textAt(item, "name")}`;
    item["type"] = `${rules.type}/${segment}`;
    propertiesOf(item);
  }
};

const takenAsTheyAre = new Set(["tags", "nodeLabels"]);

const laidOver = (under: JsonObject, over: JsonObject): JsonObject => {
  const whole = clone(under);
  for (const [name, value] of Object.entries(over)) {
    const below = whole[name];
    const both = isObject(below) && isObject(value) && Object.keys(value).length > 0 && !takenAsTheyAre.has(name);
    whole[name] = both ? laidOver(below, value) : clone(value);
  }
  return whole;
};

const readOnlyEverywhere = ["provisioningState", "resourceGuid"] as const;

/** What Azure would store for this PUT: the sent body with ids, defaults and what the caller cannot set. */
export const complete = (
  world: World,
  rules: TypeRules,
  id: string,
  sent: JsonObject,
  existing: Resource | undefined,
  query: URLSearchParams,
  touched?: string,
): Draft => {
  const ownId = existing?.id ?? id;
  const rest = rules.keepsLeftOut === true && existing !== undefined ? laidOver(existing.body, sent) : clone(sent);
  for (const name of ["id", "name", "type", "etag", "eTag", "systemData"]) delete rest[name];
  const body: JsonObject = { id: ownId, name: nameOf(ownId), type: rules.type, ...rest };
  const properties = propertiesOf(body);
  for (const name of [...readOnlyEverywhere, ...(rules.owned ?? [])]) {
    const before = objectAt(existing?.body, "properties")[name];
    if (before === undefined) delete properties[name];
    else properties[name] = clone(before);
  }
  if (rules.etag === "weak" && (world.state.options.defaults ?? "azure") === "azure")
    properties["resourceGuid"] ??= nextGuid(world.state);
  if (typeof body["location"] === "string") body["location"] = canonicalLocation(body["location"]);
  const secrets: JsonObject = {};
  const draft: Draft = { world, rules, id: ownId, type: rules.type, existing, sent, body, secrets, query, touched };
  for (const child of rules.children ?? []) completeChildren(draft, child);
  applyFields(rules.fields ?? [], body, secrets, world.state.options.defaults ?? "azure");
  completeIdentity(world, body, existing);
  rules.compute?.(draft);
  return draft;
};

/** Principals of a resource's identities, as Azure fills them in. */
const completeIdentity = (world: World, body: JsonObject, existing: Resource | undefined): void => {
  const identity = body["identity"];
  if (!isObject(identity)) return;
  const before = objectAt(existing?.body, "identity");
  if (/SystemAssigned/i.test(textAt(identity, "type"))) {
    identity["principalId"] = before["principalId"] ?? nextGuid(world.state);
    identity["tenantId"] = before["tenantId"] ?? "00000000-0000-4000-8000-0000000000ff";
  }
  for (const [id, value] of Object.entries(objectAt(identity, "userAssignedIdentities"))) {
    const known = world.state.resources.get(id.toLowerCase());
    const filled: JsonObject = isObject(value) ? value : {};
    for (const name of ["principalId", "clientId"]) {
      const principal = objectAt(known?.body, "properties")[name];
      filled[name] = principal ?? objectAt(before, "userAssignedIdentities", id)[name] ?? nextGuid(world.state);
    }
    objectAt(identity, "userAssignedIdentities")[id] = filled;
  }
};

const volatileNames = new Set(["etag", "eTag", "provisioningState"]);

const settledForm = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(settledForm);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !volatileNames.has(name))
      .map(([name, item]) => [name, settledForm(item)]),
  );
};

/** A body without what changes on its own: for "did this PUT change anything". */
export const withoutVolatile = (body: JsonObject): Json => settledForm(body);
