/** A map from one text to many. */
export interface MultiMap {
  add(key: string, value: string): void;
  remove(key: string, value: string): void;
  /** Empty when there are none. Not a copy: it changes with the map. */
  of(key: string): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

export const multiMap = (): MultiMap => {
  const sets = new Map<string, Set<string>>();
  return {
    add: (key, value) => {
      const set = sets.get(key);
      if (set === undefined) sets.set(key, new Set([value]));
      else set.add(value);
    },
    remove: (key, value) => {
      const set = sets.get(key);
      if (set?.delete(value) === true && set.size === 0) sets.delete(key);
    },
    of: (key) => sets.get(key) ?? none,
  };
};
