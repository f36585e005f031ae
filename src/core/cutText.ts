/**
 * At most so many UTF-16 units of a text, which is how Azure Tables count, and never half of a character. What is cut
 * off shows as "…". A lone surrogate, which no UTF-8 can hold, becomes U+FFFD.
 */
export const cutText = (text: string, most: number): string => {
  const whole = text.toWellFormed();
  if (whole.length <= most) return whole;
  const kept = whole.slice(0, most - 1);
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`;
};
