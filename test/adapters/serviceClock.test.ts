import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serviceClock } from "../../src/adapters/serviceClock.ts";

const header = (ms: number): string => new Date(ms).toUTCString();

describe("serviceClock", () => {
  it("knows nothing before the first readable header", () => {
    const clock = serviceClock(() => 0);
    clock.observe(undefined);
    clock.observe("yesterday");
    expect(clock.nowMs()).toBeUndefined();
  });

  it("goes on from the last header and jumps ahead with a later one", () => {
    let elapsed = 0;
    const clock = serviceClock(() => elapsed);
    clock.observe(header(10_000));
    elapsed = 250;
    expect(clock.nowMs()).toBe(10_250);
    clock.observe(header(10_000));
    expect(clock.nowMs()).toBe(10_250);
    clock.observe(header(20_000));
    expect(clock.nowMs()).toBe(20_000);
  });

  it("stands still while it was ahead by more than a header tells", () => {
    let elapsed = 0;
    const clock = serviceClock(() => elapsed);
    clock.observe(header(60_000));
    expect(clock.nowMs()).toBe(60_000);
    clock.observe(header(50_000));
    elapsed = 9_000;
    expect(clock.nowMs()).toBe(60_000);
    elapsed = 11_000;
    expect(clock.nowMs()).toBe(61_000);
  });

  it("never goes back, and never lags behind a header", () => {
    const steps = fc.array(
      fc.record({ pass: fc.nat(5_000), drift: fc.integer({ min: -3_000, max: 3_000 }), heard: fc.boolean() }),
    );
    fc.assert(
      fc.property(steps, (all) => {
        let elapsed = 0;
        let last = 0;
        const clock = serviceClock(() => elapsed);
        clock.observe(header(1_000_000));
        for (const { pass, drift, heard } of all) {
          elapsed += pass;
          const told = 1_000_000 + elapsed + drift;
          if (heard) clock.observe(header(told));
          const now = clock.nowMs() ?? 0;
          expect(now).toBeGreaterThanOrEqual(last);
          if (heard) expect(now).toBeGreaterThanOrEqual(Math.floor(told / 1_000) * 1_000);
          last = now;
        }
      }),
    );
  });
});
