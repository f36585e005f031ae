/** What a URL path names. Ids keep the case in which they were asked for; keys are in lower case. */
export type ResourceTarget =
  | { readonly kind: "subscriptions" }
  | { readonly kind: "subscription"; readonly subscription: string }
  | { readonly kind: "subscriptionList"; readonly subscription: string; readonly list: string }
  | { readonly kind: "provider"; readonly subscription: string; readonly namespace: string; readonly verb: string }
  | { readonly kind: "resourceGroup"; readonly subscription: string; readonly group: string; readonly id: string }
  | { readonly kind: "groupResources"; readonly subscription: string; readonly scope: string }
  | { readonly kind: "operation"; readonly subscription: string; readonly operation: string; readonly result: boolean }
  | { readonly kind: "tags"; readonly subscription: string; readonly scope: string; readonly id: string }
  | ({ readonly kind: "resource" } & ResourceName)
  | ({ readonly kind: "collection"; readonly last: string } & ResourceName)
  | { readonly kind: "tenant"; readonly path: string }
  | { readonly kind: "unknown"; readonly path: string };

export interface ResourceName {
  readonly subscription: string;
  /** Undefined when the resource is not in a resource group. */
  readonly group: string | undefined;
  readonly namespace: string;
  /** `Microsoft.Network/virtualNetworks/subnets`, in the case of the request. */
  readonly type: string;
  readonly names: readonly string[];
  /** What stands before the last `/providers/`. */
  readonly scope: string;
  readonly id: string;
  /** Id of the parent resource; undefined for a top-level one. */
  readonly parent: string | undefined;
}

export const keyOf = (id: string): string => id.toLowerCase().replace(/\/+$/, "");

/** The last segment of an id. */
export const nameOf = (id: string): string => id.slice(id.lastIndexOf("/") + 1);

/** The resource group of an id; "" when it has none. */
export const groupOf = (id: string): string => /\/resourcegroups\/([^/]+)/i.exec(id)?.[1] ?? "";

export const subscriptionOf = (id: string): string => /^\/subscriptions\/([^/]+)/i.exec(id)?.[1] ?? "";

/** Id of the resource group that holds an id; undefined outside of groups. */
export const groupIdOf = (id: string): string | undefined =>
  /^\/subscriptions\/[^/]+\/resourcegroups\/[^/]+/i.exec(id)?.[0];

const decode = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const underProvider = (segments: readonly string[], at: number): ResourceTarget => {
  const scope = `/${segments.slice(0, at).join("/")}`;
  const namespace = segments[at + 1] ?? "";
  const rest = segments.slice(at + 2);
  const subscription = segments[1]!;
  const operations = rest.findIndex((segment) => /^(disk)?operation(s|results)$/i.test(segment));
  if (operations >= 0 && rest.length === operations + 2 && /^locations$/i.test(rest[0] ?? ""))
    return {
      kind: "operation",
      subscription,
      operation: rest[operations + 1]!.toLowerCase(),
      result: /results$/i.test(rest[operations]!),
    };
  const dns = /^privatednsoperation(statuses|results)$/i.exec(rest[0] ?? "");
  if (dns !== null && rest.length === 2)
    return { kind: "operation", subscription, operation: rest[1]!.toLowerCase(), result: /results/i.test(dns[1]!) };
  if (rest.length < 2 && at === 2 && (rest.length === 0 || /^(un)?register$/i.test(rest[0]!)))
    return { kind: "provider", subscription, namespace, verb: (rest[0] ?? "").toLowerCase() };
  if (/^microsoft\.resources$/i.test(namespace) && /^tags$/i.test(rest[0] ?? "") && rest.length === 2)
    return { kind: "tags", subscription, scope, id: `/${segments.join("/")}` };
  const whole = rest.length % 2 === 0 ? rest : rest.slice(0, -1);
  const types = whole.filter((_, index) => index % 2 === 0);
  const names = whole.filter((_, index) => index % 2 === 1);
  const base = `${scope}/providers/${namespace}`;
  const name: ResourceName = {
    subscription,
    group: groupOf(scope) || undefined,
    namespace,
    type: [namespace, ...types].join("/"),
    names,
    scope,
    id: [base, ...whole].join("/"),
    parent: names.length > 1 ? [base, ...whole.slice(0, -2)].join("/") : undefined,
  };
  return rest.length % 2 === 0 ? { kind: "resource", ...name } : { kind: "collection", last: rest.at(-1)!, ...name };
};

/** Reads a URL path (without query). */
export const resourceTarget = (path: string): ResourceTarget => {
  const segments = path.split("/").filter(Boolean).map(decode);
  const low = segments.map((segment) => segment.toLowerCase());
  if (low[0] === "providers") return { kind: "tenant", path };
  if (low[0] !== "subscriptions") return { kind: "unknown", path };
  if (segments.length === 1) return { kind: "subscriptions" };
  const subscription = segments[1]!;
  if (segments.length === 2) return { kind: "subscription", subscription };
  const provider = low.lastIndexOf("providers");
  if (provider >= 2 && segments.length > provider + 1) return underProvider(segments, provider);
  if (low[2] === "operationresults" && segments.length === 4)
    return { kind: "operation", subscription, operation: low[3]!, result: true };
  if (low[2] === "resourcegroups" && segments.length === 4)
    return { kind: "resourceGroup", subscription, group: segments[3]!, id: `/${segments.join("/")}` };
  if (low[2] === "resourcegroups" && segments.length === 5 && low[4] === "resources")
    return { kind: "groupResources", subscription, scope: `/${segments.slice(0, 4).join("/")}` };
  return segments.length === 3 ? { kind: "subscriptionList", subscription, list: low[2]! } : { kind: "unknown", path };
};
