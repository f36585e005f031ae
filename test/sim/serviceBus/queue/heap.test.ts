import fc from "fast-check";
import { expect, it } from "vitest";
import { Heap } from "../../../../src/sim/serviceBus/queue/heap.ts";

it("gives items in order, whatever the order of pushes and pops", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer())), (steps) => {
      const heap = new Heap<number>((a, b) => a < b);
      let model: number[] = [];
      for (const step of steps) {
        if (step === null) {
          model = model.toSorted((a, b) => a - b);
          expect(heap.peek()).toBe(model[0]);
          expect(heap.pop()).toBe(model.shift());
        } else {
          heap.push(step);
          model.push(step);
        }
        expect(heap.size).toBe(model.length);
      }
    }),
  );
});
