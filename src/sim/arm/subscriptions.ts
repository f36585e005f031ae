import type { ArmState, World } from "./armState.ts";
import { sameText } from "./json.ts";
import { page } from "./lists.ts";
import { type Answer, refuse } from "./protocol.ts";
import { knownTypes } from "./rules.ts";

/** 404 for a subscription that does not exist. */
export const subscriptionKnown = (state: ArmState, subscription: string): Answer | undefined => {
  const known = state.options.subscriptions;
  return known === undefined || subscription === "" || known.some((id) => sameText(id, subscription))
    ? undefined
    : refuse(404, "SubscriptionNotFound", `The subscription '${subscription}' could not be found.`);
};

const describe = (id: string) => ({
  id: `/subscriptions/${id}`,
  subscriptionId: id,
  tenantId: "00000000-0000-4000-8000-0000000000ff",
  displayName: `Simulated ${id}`,
  state: "Enabled",
  authorizationSource: "RoleBased",
});

/** `GET /subscriptions` and one of them. */
export const subscriptionList = (world: World, url: URL): Answer =>
  page(world, url, (world.state.options.subscriptions ?? []).map(describe));

export const subscriptionGet = (subscription: string): Answer => ({ status: 200, body: describe(subscription) });

const registrationKey = (subscription: string, namespace: string): string =>
  `${subscription}~${namespace}`.toLowerCase();

const isRegistered = (state: ArmState, subscription: string, namespace: string): boolean =>
  state.options.unregisteredProviders?.some((name) => sameText(name, namespace)) !== true ||
  state.registered.has(registrationKey(subscription, namespace));

/** 409 for writes to a provider that the subscription has not registered. */
export const providerRegistered = (state: ArmState, subscription: string, namespace: string): Answer | undefined =>
  isRegistered(state, subscription, namespace)
    ? undefined
    : refuse(
        409,
        "MissingSubscriptionRegistration",
        `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
        {
          details: [
            {
              code: "MissingSubscriptionRegistration",
              target: namespace,
              message: `The subscription is not registered to use namespace '${namespace}'. See https://aka.ms/rps-not-found for how to register subscriptions.`,
            },
          ],
        },
      );

/** Registration state of a provider, and its `register` and `unregister` actions. */
export const provider = (
  world: World,
  method: string,
  target: { readonly subscription: string; readonly namespace: string; readonly verb: string },
): Answer => {
  const { subscription, namespace, verb } = target;
  const key = registrationKey(subscription, namespace);
  if (method === "POST" && verb === "register") world.state.registered.add(key);
  else if (method === "POST" && verb === "unregister") world.state.registered.delete(key);
  else if (method !== "GET") return refuse(405, "MethodNotAllowed", `${method} is not supported for providers.`);
  const prefix = `${namespace}/`.toLowerCase();
  return {
    status: 200,
    body: {
      id: `/subscriptions/${subscription}/providers/${namespace}`,
      namespace,
      registrationPolicy: "RegistrationRequired",
      registrationState: isRegistered(world.state, subscription, namespace) ? "Registered" : "NotRegistered",
      resourceTypes: knownTypes
        .filter(({ type }) => type.toLowerCase().startsWith(prefix))
        .map(({ type }) => ({ resourceType: type.slice(prefix.length), locations: [], apiVersions: [] })),
    },
  };
};
