import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dueTogether } from "../../src/core/dueTogether.ts";

describe("dueTogether", () => {
  it.each([
    { when: "there is but one", times: [5_000], due: 5_000 },
    { when: "others follow within a second", times: [5_000, 6_000, 5_200], due: 6_000 },
    { when: "one follows later", times: [5_000, 6_001], due: 5_000 },
    { when: "the first is a minute away", times: [60_000, 66_000, 66_001], due: 66_000 },
    { when: "each follows the one before closely, and the last the first by far", times: [0, 900, 1_800], due: 900 },
    { when: "the first has passed", times: [-40_000, 700, 2_000], due: -40_000 },
  ])("$when", ({ times, due }) => expect(dueTogether(times, 0)).toBe(due));

  it("waits for the first, and for no more than what comes within a second or a tenth of its time", () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3_600_000 }), { minLength: 1 }), (times) => {
        const due = dueTogether(times, 0);
        const first = Math.min(...times);
        expect(times).toContain(due);
        expect(due).toBeLessThanOrEqual(first + Math.max(1_000, first / 10));
      }),
    ));
});
