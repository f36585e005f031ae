import { describe, expect, it } from "vitest";
import type { ObjectPlan, PlanStep } from "../../../src/cli/plan/objectPlan.ts";
import { isDecorated } from "../../../src/cli/plan/planCommand.ts";
import { renderPlan, summaryLine } from "../../../src/cli/plan/renderPlan.ts";
import { slowProgress } from "../../../src/cli/plan/slowProgress.ts";

const group = "/subscriptions/s/resourceGroups/demo";
const network = `${group}/providers/Microsoft.Network`;

const step = (changed: Partial<PlanStep> & Pick<PlanStep, "action" | "id" | "service">): PlanStep => ({
  method: "PUT",
  type: "Microsoft.Network/virtualNetworks",
  apiVersion: "2026-01-01",
  dependsOn: [],
  changes: [],
  body: {},
  ...changed,
});

const steps: readonly PlanStep[] = [
  step({ service: "resourceGroups", action: "none", id: group }),
  step({
    service: "virtualNetworks",
    action: "create",
    id: `${network}/virtualNetworks/v`,
    changes: [{ path: "location", from: null, to: "eastus", effect: "inPlace" }],
  }),
  step({
    service: "subnets",
    action: "update",
    id: `${network}/virtualNetworks/v/subnets/a`,
    changes: [
      { path: "properties.addressPrefix", from: "10.0.0.0/16", to: "10.1.0.0/16", effect: "inPlace" },
      { path: "properties.x", from: 1, to: null, effect: "replace" },
    ],
  }),
  step({
    service: "subnets",
    action: "refused",
    reason: "ImmutableDrift",
    id: `${network}/virtualNetworks/v/subnets/a`,
    changes: [{ path: "location", from: "eastus", to: "westus", effect: "replace" }],
  }),
  step({ service: "routeTables", action: "none", reason: "Unmanaged", id: `${network}/routeTables/r` }),
  step({
    service: "routeTables",
    action: "update",
    id: `${network}/routeTables/t/providers/Microsoft.Resources/tags/default`,
    changes: [{ path: "tags.team", from: null, to: "blue\u009b\n", effect: "inPlace" }],
  }),
  step({ service: "routeTables", action: "delete", id: `${network}/routeTables/old` }),
];

const planned: ObjectPlan = {
  plan: { kind: "Plan", object: { kind: "AzureCluster", namespace: "default", name: "demo" }, steps },
  remarks: [
    { kind: "note", message: "compared with Azure, read as reader" },
    { kind: "unmanaged", id: `${network}/routeTables/r`, message: "is not ours: it is used as it is" },
    {
      kind: "refused",
      id: `${network}/virtualNetworks/v/subnets/a`,
      message: "location cannot change: eastus, not westus",
    },
    { kind: "kept", id: `${network}/routeTables/k`, message: "stays: it was abandoned" },
    { kind: "goesAlong", id: `${group}/providers/X.Y/z/q`, message: `is not ours, and goes with ${group}` },
  ],
};

describe("a plan for people", () => {
  it("stands in plain words, by service, with both values of what changes", () => {
    expect(renderPlan(planned, { decorated: false, wide: false })).toEqual([
      "AzureCluster default/demo",
      "  compared with Azure, read as reader",
      "",
      "resourceGroups",
      "  keep    demo",
      "",
      "virtualNetworks",
      "  create  v in demo",
      "",
      "subnets",
      "  update  v/a in demo",
      '      properties.addressPrefix: "10.0.0.0/16" -> "10.1.0.0/16"',
      "      properties.x: 1 -> null (replace)",
      "  refused v/a in demo (ImmutableDrift)",
      '      location: "eastus" -> "westus" (replace)',
      "",
      "routeTables",
      "  keep    r in demo (Unmanaged)",
      "  update  t in demo (tags)",
      '      tags.team: null -> "blue\\u009b\\n"',
      "  delete  old in demo",
      "",
      "Unmanaged, used as they are:",
      `  ${network}/routeTables/r`,
      "",
      "Refused:",
      `  ${network}/virtualNetworks/v/subnets/a: location cannot change: eastus, not westus`,
      "",
      "Stays in Azure:",
      `  ${network}/routeTables/k: stays: it was abandoned`,
      "",
      "Goes along although it is not ours:",
      `  ${group}/providers/X.Y/z/q: is not ours, and goes with ${group}`,
      "",
      "1 to create, 2 to update, 1 to delete, 2 unchanged, 1 refused; nodes replaced: 1",
    ]);
  });

  it("has symbols and colours for terminals, and all that is new when wide", () => {
    const lines = renderPlan(planned, { decorated: true, wide: true });
    expect(lines).toContain(`  \u001b[32m+ create \u001b[0m ${network}/virtualNetworks/v`);
    expect(lines).toContain('      location: "eastus"');
    expect(lines).toContain(`  \u001b[31m- delete \u001b[0m ${network}/routeTables/old`);
    expect(lines.join("\n")).not.toMatch(/[\u0080-\u009f]/);
  });

  it("counts a resource once, however many requests it takes", () => {
    const twice = [
      step({ service: "a", action: "update", id: group }),
      step({ service: "a", action: "update", id: `${group}/providers/Microsoft.Resources/tags/default` }),
    ];
    expect(summaryLine(twice)).toBe("0 to create, 1 to update, 0 to delete, 0 unchanged; nodes replaced: 0");
    expect(summaryLine([])).toBe("0 to create, 0 to update, 0 to delete, 0 unchanged; nodes replaced: 0");
  });

  it.each([
    { terminal: true, env: {}, decorated: true },
    { terminal: true, env: { NO_COLOR: "" }, decorated: true },
    { terminal: true, env: { NO_COLOR: "1" }, decorated: false },
    { terminal: true, env: { TERM: "dumb" }, decorated: false },
    { terminal: undefined, env: {}, decorated: false },
  ])("terminal $terminal with $env: decorated $decorated", ({ terminal, env, decorated }) =>
    expect(isDecorated(terminal, env)).toBe(decorated),
  );
});

describe("progress", () => {
  it("is told every few seconds, and never of what is quick or done", () => {
    const said: string[] = [];
    let nowMs = 0;
    const progress = slowProgress(
      (line) => said.push(line),
      () => nowMs,
    );
    for (const [at, done] of [
      [100, 1],
      [3_100, 2],
      [3_200, 3],
      [9_000, 4],
    ] as const) {
      nowMs = at;
      progress(done, 4);
    }
    expect(said).toEqual(["reading Azure: 2 of 4"]);
  });
});
