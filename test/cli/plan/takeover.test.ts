import { expect, it } from "vitest";
import { verdictOn } from "../../../src/cli/operate/checkAdoption.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { leftByUpstream, modern, selfManaged } from "../../support/leftByUpstream.ts";
import { describeWithShared } from "../../support/shared.ts";
import { formProblems } from "./planForm.ts";
import { planIn, writesIn } from "./planning.ts";

const planOf = (recording: string, as: (resource: JsonObject) => JsonObject) =>
  planIn(leftByUpstream(recording, as), {}, { kind: "AzureCluster", namespace: recording, name: recording });

describeWithShared("a cluster that upstream made, on first sight", () => {
  it.each(selfManaged)("%s: taking over changes nothing", async (recording) => {
    const planned = await planOf(recording, modern);
    expect(formProblems(JSON.stringify(planned.plan))).toEqual([]);
    expect(writesIn(planned)).toEqual([]);
    expect(planned.plan.steps.length).toBeGreaterThan(8);
    expect(verdictOn(planned)).toBe(`AzureCluster ${recording}/${recording}: empty: taking over changes nothing`);
  });

  it.each(selfManaged)("%s: of an old release changes only what later ones changed too", async (recording) => {
    const planned = await planOf(recording, (resource) => resource);
    const changes = planned.plan.steps.flatMap((step) => step.changes.map(({ path }) => path));
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.filter((path) => !/probe|routeTable/i.test(path))).toEqual([]);
    expect(verdictOn(planned)).toContain("not empty");
  });
});
