import type { ArmState } from "./armState.ts";
import { sameText } from "./json.ts";
import type { Denial } from "./options.ts";
import { type Answer, refuse } from "./protocol.ts";
import { keyOf, subscriptionOf } from "./resourceTarget.ts";

/** The bearer token of a request, which stands for the identity; undefined when there is none. */
export const tokenOf = (authorization: string | undefined): string | undefined =>
  /^Bearer\s+(\S.*)$/i.exec(authorization ?? "")?.[1]?.trim();

const challenge = (error: string): Readonly<Record<string, string>> => ({
  "www-authenticate": `Bearer authorization_uri="https://login.microsoftonline.com/common", error="${error}", error_description="The authentication failed."`,
});

/** 401 without a token or with one that is no longer good. */
export const authenticated = (state: ArmState, token: string | undefined): Answer | undefined => {
  if (token === undefined) {
    const refusal = refuse(
      401,
      "AuthenticationFailed",
      "Authentication failed. The 'Authorization' header is missing.",
    );
    return { ...refusal, headers: challenge("invalid_token") };
  }
  if (state.options.rejectedTokens?.includes(token) !== true) return undefined;
  const refusal = refuse(401, "ExpiredAuthenticationToken", "The access token expiry is in the past.");
  return { ...refusal, headers: challenge("invalid_token") };
};

const actionOf = (method: string): "read" | "write" | "delete" | "action" => {
  if (method === "PUT" || method === "PATCH") return "write";
  if (method === "DELETE") return "delete";
  return method === "POST" ? "action" : "read";
};

const denies = (denial: Denial, token: string, method: string, path: string): boolean =>
  denial.identity === token &&
  (denial.subscription === undefined || sameText(denial.subscription, subscriptionOf(path))) &&
  (denial.actions === undefined || denial.actions.includes(actionOf(method))) &&
  (denial.scope === undefined || `${keyOf(path)}/`.startsWith(`${keyOf(denial.scope)}/`));

/** The permission that Azure names in a refusal. */
const permission = (path: string, method: string): string => {
  const types =
    path
      .split(/\/providers\//i)
      .at(-1)
      ?.split("/") ?? [];
  const name = path.includes("/providers/")
    ? [types[0], ...types.slice(1).filter((_, at) => at % 2 === 0)].join("/")
    : "Microsoft.Resources/subscriptions/resourceGroups";
  return `${name}/${actionOf(method)}`;
};

/** Whether an identity may read what stands at a path. */
export const mayRead = (state: ArmState, token: string, path: string): boolean =>
  state.options.denied?.some((denial) => denies(denial, token, "GET", path)) !== true;

/** 403 for an identity that may not do this here. */
export const authorized = (state: ArmState, token: string, method: string, path: string): Answer | undefined =>
  state.options.denied?.some((denial) => denies(denial, token, method, path)) === true
    ? refuse(
        403,
        "AuthorizationFailed",
        `The client does not have authorization to perform action '${permission(path, method)}' over scope '${path}' or the scope is invalid. If access was recently granted, please refresh your credentials.`,
      )
    : undefined;
