import type { Result } from "../core/types.ts";
import type { ArmRequest } from "../ports.ts";
import type { Cloud } from "./clouds.ts";

/** Steps up and down a path, which a URL would resolve: an id that has them names something else than it says. */
const dotSegment = /(^|[/\\])(\.|%2e){1,2}([/\\]|$)/i;

/**
 * URL of a request. The path is encoded, so that no name in it can become a query. Failure code `BadPath` for one that
 * is not absolute or steps out of itself.
 */
export const armUrl = (cloud: Cloud, { path, apiVersion, query = {} }: Omit<ArmRequest, "method">): Result<string> => {
  if (!path.startsWith("/") || path.startsWith("//") || dotSegment.test(path)) {
    return {
      ok: false,
      error: { kind: "badConfiguration", code: "BadPath", message: `${JSON.stringify(path)} is no path of a resource` },
    };
  }
  const url = new URL(`https://${cloud.managementHost}`);
  url.pathname = path;
  const values = Object.entries({ ...query, "api-version": apiVersion });
  // Names such as `$filter` go as they are; Azure documents spaces as %20, not as plus signs.
  return {
    ok: true,
    value: `${url.href}?${values.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`,
  };
};

/**
 * A link that Azure gave, if it leads to Resource Manager of the same cloud over https: only there may the token go. Any
 * other is `UntrustedUrl`; the failure has no status, because what was asked for may have happened.
 */
export const trustedUrl = (cloud: Cloud, link: string): Result<string> => {
  const origin = `https://${cloud.managementHost}`;
  const url = URL.parse(link, origin);
  const host = url?.hostname ?? "";
  const trusted =
    url?.protocol === "https:" &&
    (host === cloud.managementHost || host.endsWith(`.${cloud.managementHost}`)) &&
    url.port === "" &&
    url.username === "" &&
    url.password === "";
  if (trusted) return { ok: true, value: url.href };
  return {
    ok: false,
    error: {
      kind: "badConfiguration",
      code: "UntrustedUrl",
      message: `Azure's answer leads to ${JSON.stringify(host || "no host")}, which is not Resource Manager of this cloud; it was not followed`,
    },
  };
};

/** For the log: operation URLs carry signatures in their query. */
export const withoutQuery = (url: string): string => url.split("?", 1)[0] ?? "";
