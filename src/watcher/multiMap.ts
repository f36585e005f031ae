/** A map from one text to many. */
export interface MultiMap {
  /** Returns the key as it is kept: equal texts need not be stored twice. */
  add(key: string, value: string): string;
  remove(key: string, value: string): void;
  /** Empty when there are none. Not a copy: it changes with the map. */
  of(key: string): ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

interface Slot {
  readonly key: string;
  readonly values: Set<string>;
}

export const multiMap = (): MultiMap => {
  const slots = new Map<string, Slot>();
  return {
    add: (key, value) => {
      const slot = slots.get(key);
      if (slot === undefined) slots.set(key, { key, values: new Set([value]) });
      else slot.values.add(value);
      return slot?.key ?? key;
    },
    remove: (key, value) => {
      const slot = slots.get(key);
      if (slot?.values.delete(value) === true && slot.values.size === 0) slots.delete(key);
    },
    of: (key) => slots.get(key)?.values ?? none,
  };
};
