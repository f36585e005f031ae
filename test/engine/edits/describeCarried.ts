import { describe, expect, it } from "vitest";
import type { Carried } from "./editCase.ts";
import { refusalsOf, standingCluster, writesAfter, writesOfAnotherLook } from "./editedWorld.ts";

/** Each edit is admitted, causes the writes that its row lists and no other, and is then at rest. */
export const describeCarried = (name: string, cases: readonly Carried[]): void => {
  describe(name, () => {
    it.each(cases.map((one) => [one.title, one] as const))("%s", async (_, { from, steps }) => {
      const world = await standingCluster(from);
      for (const [index, [patch, writes]] of steps.entries()) {
        expect(refusalsOf(world, patch), `edit ${index + 1} is admitted`).toEqual([]);
        expect((await writesAfter(world, patch)).toSorted(), `edit ${index + 1}`).toEqual(writes.toSorted());
        expect(await writesOfAnotherLook(world), `after edit ${index + 1}`).toEqual({ azure: [], object: "unchanged" });
      }
    });
  });
};
