const pattern = /^(-)?(?:(\d+)\.)?(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,7}))?$/;

/**
 * Milliseconds of a .NET TimeSpan in constant form, `[-][d.]hh:mm:ss[.fffffff]`; undefined for anything else.
 * https://learn.microsoft.com/dotnet/standard/base-types/standard-timespan-format-strings
 */
export const parseTimeSpan = (text: string): number | undefined => {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign, days = "0", hours = "", minutes = "", seconds = "", fraction = "0"] = match;
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
  const total = whole * 1000 + Number(`0.${fraction}`) * 1000;
  return sign === undefined ? total : -total;
};
