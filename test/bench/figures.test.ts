import { describe, expect, it } from "vitest";
import { figureOf, holds } from "./figures.ts";
import { quantile } from "./quantile.ts";

describe("a figure", () => {
  it.each([
    { when: "a count at its goal", name: "fightFirstHourWrites", value: 8, ok: true, held: true },
    { when: "a count a hair above it", name: "settledTurnTableReads", value: 1.00001, ok: false, held: false },
    { when: "a size above it", name: "watcherRssMb", value: 151, ok: false, held: false },
    { when: "a timing above it", name: "doorbellP50Ms", value: 21, ok: false, held: true },
    { when: "a timing without a goal", name: "settledTurnsPerSecond", value: 3, ok: true, held: true },
    { when: "a timing not measured", name: "doorbellP50Ms", value: undefined, ok: false, held: false },
    { when: "a timing of no samples", name: "doorbellP50Ms", value: Number.NaN, ok: false, held: false },
    { when: "a count not measured", name: "resyncArmCalls", value: undefined, ok: false, held: false },
  ] as const)("is told and holds or not: $when", ({ name, value, ok, held }) => {
    const figure = figureOf(name, value);
    expect({ ok: figure.ok, held: holds(figure) }).toEqual({ ok, held });
  });
});

describe("a quantile", () => {
  it.each([
    { samples: [3, 1, 2], part: 0.5, is: 2 },
    { samples: [4, 3, 2, 1], part: 0.5, is: 2 },
    { samples: [10, 1], part: 0.99, is: 10 },
    { samples: [7], part: 0.5, is: 7 },
    { samples: [], part: 0.5, is: Number.NaN },
  ])("$part of $samples is $is", ({ samples, part, is }) => expect(quantile(samples, part)).toBe(is));
});
