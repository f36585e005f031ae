const mostKept = 4096;

/** The same function of a text, which keeps its latest results: rules ask for the same few texts again and again. */
export const memoised = <Value>(compute: (text: string) => Value): ((text: string) => Value) => {
  const kept = new Map<string, { readonly value: Value }>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known.value;
    if (kept.size >= mostKept) kept.clear();
    const value = compute(text);
    kept.set(text, { value });
    return value;
  };
};
