/** Another machine's time, known from the `Date` headers of its answers. */
export interface ServiceClock {
  /** A header as it just arrived; what cannot be read is ignored. */
  observe(dateHeader: string | undefined): void;
  /** Undefined before the first header. */
  nowMs(): number | undefined;
}

/** A header tells whole seconds, so the true time lies anywhere in the second that it names. */
const resolutionMs = 1_000;

/**
 * The last header plus the time since, kept from going back: while a new header contradicts the estimate by less than its
 * own resolution, the estimate stays; when the estimate was ahead, it stands still until it is true again.
 * @param monotonicMs time since some start, never going back
 */
export const serviceClock = (monotonicMs: () => number): ServiceClock => {
  let offsetMs: number | undefined;
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    observe: (dateHeader) => {
      const headerMs = Date.parse(dateHeader ?? "");
      if (Number.isNaN(headerMs)) return;
      const told = headerMs - monotonicMs();
      const ahead = offsetMs === undefined ? undefined : offsetMs - told;
      if (ahead === undefined || ahead < 0 || ahead >= resolutionMs) offsetMs = told;
    },
    nowMs: () => {
      if (offsetMs === undefined) return undefined;
      lastMs = Math.max(lastMs, Math.floor(offsetMs + monotonicMs()));
      return lastMs;
    },
  };
};
