/**
 * Texts of a list within a message. `join` would say it more simply, but of a list that a rule made the API server knows
 * no longest text, and refuses it as too dear; `format` costs it nothing.
 */

/** How many texts stand without the brackets and quotes that `%s` gives to a list. */
const most = 3;

/** The texts of a list by its name in CEL, one after the other; a longer list as `%s` shows it. */
export const listed = (list: string, between = ", "): string => {
  const some = Array.from({ length: most }, (_, i) => {
    const places = Array.from({ length: i + 1 }, (_place, at) => `${list}[${at}]`);
    return `${list}.size() == ${i + 1} ? '${places.map(() => "%s").join(between)}'.format([${places.join(", ")}])`;
  });
  return `(${some.join(" : ")} : '%s'.format([${list}]))`;
};

/** The same of a list that is CEL of its own, which is asked once; `none` when it is empty. */
export const listedAll = (list: string, between = ", ", none = ""): string =>
  `[${list}].map(all, all.size() == 0 ? '${none}' : ${listed("all", between)})[0]`;
