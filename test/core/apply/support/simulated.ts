import { type ApplyResult, apply } from "../../../../src/core/apply/apply.ts";
import { settleApplied } from "../../../../src/core/apply/settleApplied.ts";
import { resourceGroupId } from "../../../../src/core/ids.ts";
import type { Service } from "../../../../src/core/service.ts";
import type { AppliedLeaf, Desired, JsonObject, Observed, PlannedRequest } from "../../../../src/core/types.ts";
import { type ArmState, createArmState } from "../../../../src/sim/arm/armState.ts";
import { handle } from "../../../../src/sim/arm/handle.ts";
import type { ArmSimulatorOptions } from "../../../../src/sim/arm/options.ts";
import { mutateResource, seedResources } from "../../../../src/sim/arm/otherWriter.ts";
import type { ResourceSchema } from "../../../../src/wire/schema.ts";
import type { TestScope, Wish } from "../../../support/testServices/wish.ts";

const scope: TestScope = {
  subscription: "00000000-0000-4000-8000-000000000001",
  resourceGroup: "t1",
  location: "eastus",
  owner: "t1",
  wishes: {},
};

/** One resource of a test service in the simulated Azure, with the ledger that we keep of it. */
export interface Simulated {
  readonly state: ArmState;
  ledger: readonly AppliedLeaf[] | undefined;
  nowMs: number;
}

/** An Azure with a resource group, and what the service needs beside it. */
export const simulated = (parents: readonly string[] = [], options: ArmSimulatorOptions = {}): Simulated => {
  const state = createArmState({ latency: 0, ...options });
  const group = resourceGroupId(scope.subscription, scope.resourceGroup);
  const seeds = parents.map((path) => ({ id: `${group}/providers/${path}`, location: scope.location, properties: {} }));
  seedResources(state, [{ id: group, location: scope.location }, ...seeds], 0);
  return { state, ledger: undefined, nowMs: 0 };
};

/** What a service wants when a test wishes this under this name. */
export const desiredOf = (service: Service<TestScope>, name: string, wish: Wish): Desired => {
  const [desired] = service.desired({ ...scope, wishes: { [service.name]: { [name]: wish } } });
  if (desired === undefined) throw new Error("nothing is wanted");
  return desired;
};

const ask = (at: Simulated, method: string, path: string, apiVersion: string, more: Partial<PlannedRequest> = {}) => {
  // Operations are over when the next request comes.
  at.nowMs += 3_600_000;
  const reply = handle(
    at.state,
    {
      method,
      url: `https://management.azure.com${path}?api-version=${apiVersion}`,
      headers: {
        authorization: "Bearer test",
        ...(more.ifMatch !== undefined && { "if-match": more.ifMatch }),
        ...(more.ifNoneMatch !== undefined && { "if-none-match": more.ifNoneMatch }),
      },
      ...(more.body !== undefined && { body: JSON.stringify(more.body) }),
    },
    at.nowMs,
  );
  if (reply.kind === "dropped") throw new Error("no answer");
  return reply;
};

export const observe = (at: Simulated, { id }: Desired, { apiVersion }: ResourceSchema): Observed => {
  const reply = ask(at, "GET", id, apiVersion);
  if (reply.status === 404) return { kind: "absent" };
  const body = reply.body as JsonObject;
  const etag = reply.headers["etag"] ?? (typeof body["eTag"] === "string" ? body["eTag"] : undefined);
  return { kind: "present", body, ...(etag !== undefined && { etag }) };
};

const send = (at: Simulated, request: PlannedRequest): void => {
  const reply = ask(at, request.method, request.path, request.apiVersion, request);
  if (reply.status >= 400)
    throw new Error(`${request.method} ${JSON.stringify(request.body)}: ${JSON.stringify(reply.body)}`);
};

type Rules = Pick<Service<TestScope>, "rules" | "ownership">;

/** What a turn would do now. */
export const look = (
  at: Simulated,
  service: Rules,
  schema: ResourceSchema,
  desired: Desired,
  see: (body: JsonObject) => JsonObject = (body) => body,
): ApplyResult => {
  const observed = observe(at, desired, schema);
  return apply({
    schema,
    rules: service.rules,
    desired,
    observed: observed.kind === "absent" ? observed : { ...observed, body: see(observed.body) },
    applied: at.ledger,
    tagsAtScope: service.ownership === "tag",
  });
};

/** One turn: what is wanted is written, then looked at. */
export const turn = (at: Simulated, service: Rules, schema: ResourceSchema, desired: Desired): ApplyResult => {
  const result = look(at, service, schema, desired);
  at.ledger = result.applied;
  if (result.kind !== "write") return result;
  for (const request of result.requests) send(at, request);
  const observed = observe(at, desired, schema);
  if (observed.kind === "absent") throw new Error("what was written is not there");
  at.ledger = settleApplied(schema, service.rules, result.applied, observed.body);
  return result;
};

/** Another writer changes the resource. */
export const meddle = (at: Simulated, { id }: Desired, change: (body: JsonObject) => JsonObject): void =>
  mutateResource(
    at.state,
    id,
    (body) => structuredClone(change(body)) as ReturnType<Parameters<typeof mutateResource>[2]>,
    at.nowMs,
  );

/** What Azure holds, secrets apart. */
export const storedBody = (at: Simulated, { id }: Desired): JsonObject =>
  (at.state.resources.get(id.toLowerCase())?.body ?? {}) as JsonObject;
