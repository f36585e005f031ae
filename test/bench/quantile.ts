/** The value below or at which the given part of the samples lies; NaN without samples. */
export const quantile = (samples: readonly number[], part: number): number =>
  samples.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(part * samples.length) - 1)] ?? Number.NaN;
