/** Edits that make one word of the other, case aside: letters put in, left out, exchanged, or swapped with the next one. */
const distance = (one: string, other: string): number => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const at = (from: readonly number[], index: number): number => from[index] ?? Number.POSITIVE_INFINITY;
      row.push(
        Math.min(
          at(last, j) + 1,
          at(row, j - 1) + 1,
          at(last, j - 1) + same,
          swapped ? at(beforeLast, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
};

const longest = 100;

/** The word that was probably meant: the nearest one, if few enough letters differ; the first of those that are equally near. */
export const nearest = (word: string, words: Iterable<string>): string | undefined => {
  if (word.length > longest) return undefined;
  const [best] = [...words]
    .filter((candidate) => candidate !== word)
    .map((candidate) => ({ candidate, far: distance(word, candidate) }))
    .toSorted((one, other) => one.far - other.far);
  return best !== undefined && best.far <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined;
};
