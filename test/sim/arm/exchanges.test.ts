import { describe, expect, it } from "vitest";
import { isObject, type Json } from "../../../src/sim/arm/json.ts";
import { aWorld, type Got, type TestWorld } from "./aWorld.ts";
import { containers } from "./exchanges/containers.ts";
import { disks } from "./exchanges/disks.ts";
import type { Answered, Exchange, HeaderKind, Sent, Step } from "./exchanges/exchange.ts";
import { watchedHeaders } from "./exchanges/exchange.ts";
import { frontends } from "./exchanges/frontends.ts";
import { identities } from "./exchanges/identities.ts";
import { interfaces } from "./exchanges/interfaces.ts";
import { machines } from "./exchanges/machines.ts";
import { networks } from "./exchanges/networks.ts";
import { peerings } from "./exchanges/peerings.ts";
import { privateNames } from "./exchanges/privateNames.ts";
import { publicAddresses } from "./exchanges/publicAddresses.ts";
import { resourceGroups } from "./exchanges/resourceGroups.ts";
import { rules } from "./exchanges/rules.ts";

const all: Readonly<Record<string, readonly Exchange[]>> = {
  resourceGroups,
  networks,
  peerings,
  rules,
  publicAddresses,
  frontends,
  interfaces,
  privateNames,
  disks,
  machines,
  containers,
  identities,
};

const operationMs = 60_000;
const guid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const host = "^https://management\\.azure\\.com";
const place = `${host}/subscriptions/${guid}/providers/Microsoft\\.\\w+/locations/\\w+`;
const zone = `${host}/subscriptions/${guid}/resourceGroups/[^/]+/providers/Microsoft\\.Network`;

const forms: Readonly<Record<Exclude<HeaderKind, number>, RegExp>> = {
  Enabled: /^Enabled$/,
  gateway: /^gateway$/,
  seconds: /^[1-9]\d*$/,
  "weak etag": new RegExp(`^W/"${guid}"$`),
  "bare etag": new RegExp(`^${guid}$`),
  "quoted etag": /^"[^"]+"$/,
  operation: new RegExp(`${place}/(Disk)?operations/${guid}\\?.*api-version=`, "i"),
  "operation of another version": new RegExp(`${place}/operations/${guid}\\?api-version=`),
  "operation result of another version": new RegExp(`${place}/operationResults/${guid}\\?api-version=`, "i"),
  "operation result": new RegExp(`${place}/operationResults/${guid}\\?api-version=`, "i"),
  "operation monitor": new RegExp(`${place}/(Disk)?operations/${guid}\\?.*monitor=true`, "i"),
  "zone operation": new RegExp(`${zone}/privateDnsOperationStatuses/[^/?]+\\?api-version=`, "i"),
  "zone operation result": new RegExp(`${zone}/privateDnsOperationResults/[^/?]+\\?api-version=`, "i"),
  "group operation result": new RegExp(`${host}/subscriptions/${guid}/operationresults/[^/?]+\\?api-version=`),
  "relative id": /^\/subscriptions\//,
};

const versionOf = (url: string): string | null => new URL(url, "https://host").searchParams.get("api-version");

const isOfKind = (value: string, kind: HeaderKind, apiVersion: string): boolean => {
  if (typeof kind === "number") return value === String(kind);
  if (!forms[kind].test(value)) return false;
  if (!/operation/.test(kind)) return true;
  return (versionOf(value) === apiVersion) === !kind.endsWith("of another version");
};

const headersOf = (got: Got, answer: Answered, apiVersion: string) =>
  Object.fromEntries(
    watchedHeaders.flatMap((name): [string, string | number][] => {
      const value = got.headers[name];
      const kind = answer.headers?.[name];
      if (value === undefined) return [];
      return [[name, kind !== undefined && isOfKind(value, kind, apiVersion) ? kind : value]];
    }),
  );

const at = (body: Json | undefined, path: string): Json | undefined => {
  let reached = body;
  for (const segment of path.split("."))
    reached = Array.isArray(reached) ? reached[Number(segment)] : isObject(reached) ? reached[segment] : undefined;
  return reached;
};

const etagOf = (got: Got | undefined): Json | undefined => at(got?.body, "etag") ?? at(got?.body, "eTag");

const comparedEtag = (got: Got, last: Got | undefined): string => {
  if (etagOf(got) === undefined || etagOf(last) === undefined) return "none";
  return etagOf(got) === etagOf(last) ? "kept" : "renewed";
};

/** The simulator's answer in the words of the row: only what the row speaks of. */
const bodyOf = (got: Got, wanted: Answered["body"], last: Got | undefined): unknown => {
  if (got.body === undefined) return "none";
  if (typeof wanted === "string") return isObject(got.body) && Object.keys(got.body).length === 0 ? "{}" : got.body;
  const { values, shows, omits, only, etag } = wanted;
  const present = (path: string) => at(got.body, path) !== undefined;
  return {
    ...(values && { values: Object.fromEntries(Object.keys(values).map((path) => [path, at(got.body, path)])) }),
    ...(shows && { shows: shows.filter(present) }),
    ...(omits && { omits: omits.filter((path) => !present(path)) }),
    ...(only && { only: isObject(got.body) ? Object.keys(got.body).toSorted() : [] }),
    ...(etag && { etag: comparedEtag(got, last) }),
  };
};

const ordered = (body: Answered["body"]): Answered["body"] =>
  typeof body === "string" || body.only === undefined ? body : { ...body, only: body.only.toSorted() };

const defaultVersion = "2020-06-01";

const send = (world: TestWorld, last: Got | undefined, { method, to, body, apiVersion }: Sent): Got =>
  typeof to === "string"
    ? world.send(method, to, body, { apiVersion: apiVersion ?? defaultVersion })
    : world.send(method, last?.headers[to.named] ?? "", body);

const settle = (world: TestWorld, last: Got | undefined, step: Step): Got => {
  const got = send(world, last, step);
  const asked = `${step.method} ${JSON.stringify(step.to)}`;
  expect({ asked, accepted: got.status < 300, code: got.code }).toEqual({ asked, accepted: true, code: "" });
  world.advance(step.running === true ? 1_000 : operationMs + 1_000);
  return got;
};

const replay = (exchange: Exchange) => {
  const { before = [], ask, answer, afterSeconds = 0 } = exchange;
  const world = aWorld({ latency: operationMs });
  let last: Got | undefined;
  for (const step of before) last = settle(world, last, step);
  world.advance(afterSeconds * 1_000);
  const got = send(world, last, ask);
  const asked = typeof ask.to === "string" ? (ask.apiVersion ?? defaultVersion) : versionAsked(last, ask.to.named);
  return { status: got.status, headers: headersOf(got, answer, asked), body: bodyOf(got, answer.body, last) };
};

const versionAsked = (last: Got | undefined, header: string): string => versionOf(last?.headers[header] ?? "") ?? "";

describe.each(Object.entries(all))("as Azure answered: %s", (_name, exchanges) => {
  it.each(exchanges.map((exchange) => [exchange.when, exchange] as const))("%s", (_when, exchange) => {
    const { status, headers = {}, body } = exchange.answer;
    expect(replay(exchange)).toEqual({ status, headers, body: ordered(body) });
  });
});

describe("the table of exchanges", () => {
  const rows = Object.values(all).flat();

  it("is long enough, and each row names its source", () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(
      rows.filter(({ source }) => !/^(Test_\w+\.yaml, \d{4}-\d{2}-\d{2}|[\w-]+\/[\w-]+#\d+)/.test(source)),
    ).toEqual([]);
  });

  it("asks each thing once", () => {
    const titles = rows.map(({ when }) => when);
    expect(titles.filter((title, position) => titles.indexOf(title) !== position)).toEqual([]);
  });

  it("is simpler than Azure in few places", () => {
    expect(rows.filter(({ simpler }) => simpler !== undefined).length).toBeLessThanOrEqual(6);
  });
});
