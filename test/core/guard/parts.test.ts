import { describe, expect, it } from "vitest";
import { type DecisionInput, decide } from "../../../src/core/decide.ts";
import type { CountedWrite, Track } from "../../../src/core/guard/countedWrite.ts";
import { partHashOf, planHashOf } from "../../../src/core/guard/planHash.ts";
import { resourceId } from "../../../src/core/ids.ts";
import { ownerTag } from "../../../src/core/ownership.ts";
import { emptyRow } from "../../../src/core/resourceRow.ts";
import type { Desired, JsonObject } from "../../../src/core/types.ts";
import { loadSchema } from "../../../src/wire/loadSchema.ts";
import { testClusters } from "../../support/testServices/askedAks.ts";
import { testNetworks } from "../../support/testServices/overlayNetwork.ts";
import { testScaleSets } from "../../support/testServices/patchVm.ts";

const minute = 60_000;
const nowMs = 1_000 * minute;
const ours = { [ownerTag("c1")]: "owned" };

/** A field beside the tags in each of the three ways to write, by what it is like. */
const ways = [
  {
    service: testNetworks,
    field: (n: number): JsonObject => ({ properties: { dhcpOptions: { dnsServers: [`10.0.0.${n}`] } } }),
  },
  { service: testClusters, field: (n: number): JsonObject => ({ properties: { kubernetesVersion: `1.3${n}.0` } }) },
  { service: testScaleSets, field: (n: number): JsonObject => ({ sku: { capacity: n } }) },
] as const;
const paths: Readonly<Record<string, readonly string[]>> = {
  testNetworks: ["properties", "dhcpOptions", "dnsServers"],
  testClusters: ["properties", "kubernetesVersion"],
  testScaleSets: ["sku", "capacity"],
};

/** What happens to a part: nothing, a fight that has had its eight writes, or a person's change of the spec just now. */
const lots = ["same", "fought", "asked"] as const;
type Lot = (typeof lots)[number];
interface Case {
  readonly way: (typeof ways)[number];
  readonly tags: Lot;
  readonly body: Lot;
}
const cases = ways.flatMap((way) => lots.flatMap((tags) => lots.map((body): Case => ({ way, tags, body }))));

const bodyWith = ({ way: { field } }: Case, env: string, n: number): JsonObject => ({
  location: "eastus",
  tags: { ...ours, env },
  ...field(n),
});

const historyOf = (track: Track, lot: Lot, desired: Desired, before: Desired): readonly CountedWrite[] => {
  const wrote = lot === "fought" ? desired : before;
  return Array.from({ length: lot === "fought" ? 8 : 1 }, (_, index) => ({
    planHash: planHashOf(wrote),
    part: partHashOf(wrote, track),
    atMs: nowMs - (8 - index) * minute,
    earned: index === 0,
    generation: 1,
    dependencies: "",
    ...(track === "tags" && { tags: true }),
  }));
};

const inputOf = async (one: Case): Promise<DecisionInput> => {
  const { way, tags, body } = one;
  const id = resourceId("s", "g", way.service.type, "r");
  const desired: Desired = { id, body: bodyWith(one, "dev", 2), defaults: [] };
  const before: Desired = { id, body: bodyWith(one, "test", 1), defaults: [] };
  const shown = bodyWith(one, tags === "same" ? "dev" : "test", body === "same" ? 2 : 1);
  const applied = [
    { path: ["tags", "env"], value: tags === "asked" ? "test" : "dev", mark: "asked" as const },
    {
      path: paths[way.service.name]!,
      value: valueIn(body === "asked" ? before.body : desired.body, one),
      mark: "asked" as const,
    },
  ];
  return {
    service: way.service,
    desired,
    desiredHash: "wanted",
    row: {
      ...emptyRow(id, way.service.name),
      known: "created",
      applied,
      writes: [...historyOf("body", body, desired, before), ...historyOf("tags", tags, desired, before)],
    },
    observed: { kind: "present", etag: "1", body: shown },
    schema: await loadSchema(way.service.type),
    ownerTags: ours,
    parentOurs: true,
    nowMs,
    cause: "change",
    circumstances: {
      retry: "",
      identity: "",
      release: "",
      children: new Set(),
      generation: tags === "asked" || body === "asked" ? 2 : 1,
      dependencies: "",
      adopt: new Set(),
      writing: "allowed",
    },
  };
};

const valueIn = (body: JsonObject, { way }: Case) =>
  paths[way.service.name]!.reduce<JsonObject[string]>((value, step) => (value as JsonObject)[step]!, body);

/** Which parts changes concern, each change once. */
const tracksOf = (changes: readonly { readonly path: string }[]): readonly Track[] =>
  changes.map(({ path }): Track => (path.startsWith("tags") ? "tags" : "body")).toSorted((a, b) => (a < b ? -1 : 1));
const nameOf = (path: string): Track => (path.endsWith("/tags/default") ? "tags" : "body");
const title = ({ way, tags, body }: Case): string => `${way.service.rules.writes}: tags ${tags}, all else ${body}`;

describe.each(cases.map((one) => ({ ...one, title: title(one) })))("$title", (one) => {
  const { tags, body } = one;
  const lotOf = (track: Track): Lot => (track === "tags" ? tags : body);
  const tracks: readonly Track[] = ["body", "tags"];
  const asked = tracks.filter((track) => lotOf(track) === "asked");
  const fought = tracks.filter((track) => lotOf(track) === "fought");

  it("sends what a person asked for, and holds back just what is fought over", async () => {
    const decision = decide(await inputOf(one));
    if (asked.length === 0) {
      expect(decision.kind).toBe(fought.length === 0 ? "done" : "held");
    } else {
      if (decision.kind !== "write") throw new Error(decision.kind);
      expect(tracksOf(decision.requests.flatMap(({ changes }) => changes))).toEqual(asked);
      // Each ARM write is one of a part that was asked for; one request takes both where it can.
      const patches = one.way.service.rules.writes === "patch";
      expect(decision.requests.length).toBe(patches ? asked.length : 1);
    }
    const { held } = decision.row;
    expect(tracksOf(held?.changes ?? [])).toEqual(fought);
    if (held !== undefined) expect(held.untilMs).toBeGreaterThan(nowMs);
  });

  it("leaves as it is in Azure what it holds back", async () => {
    const decision = decide(await inputOf(one));
    if (decision.kind !== "write" || fought.length === 0) return expect(decision.kind).not.toBe("busy");
    const [request] = decision.requests;
    if (tags === "fought" && nameOf(request!.path) === "body" && request!.method === "PUT")
      expect(request!.body).toMatchObject({ tags: { env: "test" } });
    if (tags === "fought" && request!.method === "PATCH") expect(request!.body).not.toHaveProperty("tags");
    if (body === "fought") expect(decision.requests.map(({ path }) => nameOf(path))).toEqual(["tags"]);
    // The ledger goes on saying what it said of the held part.
    const kept = decision.row.intent?.applied.find(({ path }) => (path[0] === "tags") === (tags === "fought"));
    expect(kept?.value).toEqual(
      (await inputOf(one)).row.applied.find(({ path }) => path.at(-1) === kept?.path.at(-1))?.value,
    );
  });
});

describe("a resource that somebody deletes each time", () => {
  it("is made again at once when a person changes its tags alone", async () => {
    const one: Case = { way: ways[0], tags: "asked", body: "fought" };
    const input = await inputOf(one);
    const before: Desired = { ...input.desired, body: bodyWith(one, "test", 2) };
    const created = (wrote: Desired) => ({ planHash: planHashOf(wrote), part: planHashOf(wrote), generation: 1 });
    const deleted = (wrote: Desired): DecisionInput => ({
      ...input,
      observed: { kind: "absent" },
      row: { ...input.row, writes: input.row.writes.slice(0, 8).map((write) => ({ ...write, ...created(wrote) })) },
    });
    expect(decide(deleted(before)).kind).toBe("write");
    expect(decide(deleted(input.desired)).kind).toBe("held");
  });
});
