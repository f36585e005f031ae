/** Those that occur again, whatever their case; each as spelled there. */
export const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index);
