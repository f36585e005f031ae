/** A constant that is computed when it is first asked for, because most programs need few of them. */
export const lazy = <Value>(compute: () => Value): (() => Value) => {
  let computed: { readonly value: Value } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
};
