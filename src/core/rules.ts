import type { Effect, Json } from "./types.ts";

/**
 * A place in a body: property names joined by dots, `[]` for the items of a list
 * (`properties.securityRules[].properties.priority`). Matches case-insensitively, as Azure does. Where a list itself is
 * meant, a trailing `[]` makes no difference.
 */
export type Pattern = string;

/** What Azure shows of a resource that it left broken although every field is as wanted. */
export interface Healing {
  /** Values that say so. */
  readonly broken: readonly string[];
  /** What it shows once it is healed. */
  readonly whole: string;
  /** Query parameters of the write that heals it. */
  readonly query?: Readonly<Record<string, string>>;
}

/** What is particular about the differences of one service; everything not said here follows from the wire schema. */
export interface Rules {
  /**
   * How it is written on an existing resource (design section 5). `overlay`: PUT of the observed writable part with ours laid
   * over it; `asked`: PUT of only our leaves and clear values; `patch`: merge patch of the changed paths.
   */
  readonly writes: "overlay" | "asked" | "patch";
  /** Never sent back from an observed body. Wanted values at these places are still sent, a list then with what it holds. */
  readonly omit?: readonly Pattern[];
  /**
   * Properties of one object of which at most one is sent; setting one drops the others. Where only another one is observed,
   * a list of one equals its item. When we want none of them, the first declared that holds something is sent back.
   */
  readonly oneOf?: readonly (readonly Pattern[])[];
  /**
   * Property by which the items of a list are told apart; default `name`, else `id`, else the list is compared whole.
   * `$value` for scalars of which others may add some: each is an item of its own.
   */
  readonly keys?: Readonly<Record<Pattern, string>>;
  /** Lists of scalars in which order and repetition mean nothing. */
  readonly sets?: readonly Pattern[];
  /** Places that another owner decides: sent when the resource is created, never compared or written afterwards. */
  readonly yields?: readonly Pattern[];
  /** Cannot change in Azure: keeps its observed value; an asked one that differs is refused as `ImmutableDrift`. */
  readonly immutable?: readonly Pattern[];
  /** The value that equals absence. */
  readonly absentMeans?: Readonly<Record<Pattern, Json>>;
  /**
   * What to send to clear a leaf that Azure would keep when it is left out; declared for the leaf, or for the object that
   * holds nothing else. Who asks for this value is content when Azure shows none.
   */
  readonly clear?: Readonly<Record<Pattern, Json>>;
  readonly effects?: Readonly<Record<Pattern, Effect>>;
  /** Places at which a resource shows that it is broken: then it is written again as it is. The first that applies counts. */
  readonly heals?: Readonly<Record<Pattern, Healing>>;
  /**
   * Places at which a resource that is not ours has to be as wanted to be of any use; where it is not, that is told as
   * `ForeignConflict`. It is never written.
   */
  readonly agrees?: readonly Pattern[];
  /**
   * Places at which it is told when a resource that is not ours is otherwise than the spec asks. It is used as it is, and
   * what is told stands in nobody's way.
   */
  readonly tells?: readonly Pattern[];
  /**
   * How two texts are equal. Default: exactly, except ids (values that begin with `/subscriptions/`) and keys of list items
   * (any case), `location`, and fields whose name ends in `address`, `prefix` or their plural (as addresses).
   */
  readonly compare?: Readonly<Record<Pattern, "ignoreCase" | "address" | "location">>;
  /**
   * Fields that no two items of a list may share (rule priority and direction, frontend port): a foreign item with the
   * same values makes ours impossible and is reported as `ForeignConflict`, never written over.
   */
  readonly exclusive?: Readonly<Record<Pattern, readonly string[]>>;
}
