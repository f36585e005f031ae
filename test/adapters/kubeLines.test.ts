import fc from "fast-check";
import { expect, it } from "vitest";
import { kubeLines } from "../../src/adapters/kubeLines.ts";

const line = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes("\n"));

/** Cuts the bytes at the given fractions of their length, so also inside of characters. */
const streamOf = (text: string, cuts: readonly number[]): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  const at = [0, ...cuts.map((cut) => Math.floor(cut * bytes.length)).toSorted((a, b) => a - b), bytes.length];
  return ReadableStream.from(at.slice(1).map((end, index) => bytes.subarray(at[index], end)));
};

it("gives the same lines however the stream is cut", async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(line), cuts, fc.boolean(), async (lines, at, ended) => {
      const wellFormed = lines.map((text) => text.toWellFormed());
      const text = wellFormed.join("\n") + (ended && lines.length > 0 ? "\n" : "");
      expect(await Array.fromAsync(kubeLines(streamOf(text, at)))).toEqual(wellFormed);
    }),
  );
});
