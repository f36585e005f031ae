import type { Effect, Json } from "./types.ts";

/**
 * A place in a body: property names joined by dots, `[]` for the items of a list
 * (`properties.securityRules[].properties.priority`). Matches case-insensitively, as Azure does.
 */
export type Pattern = string;

/** What is particular about the differences of one service; everything not said here follows from the wire schema. */
export interface Rules {
  /**
   * How it is written on an existing resource (design section 5). `overlay`: PUT of the observed writable part with ours laid
   * over it; `asked`: PUT of only our leaves and clear values; `patch`: merge patch of the changed paths.
   */
  readonly writes: "overlay" | "asked" | "patch";
  /** Never sent back from an observed body. Wanted values at these places are still sent. */
  readonly omit?: readonly Pattern[];
  /** Alternatives of which at most one is sent; setting one drops the others, wherever they are observed. */
  readonly oneOf?: readonly (readonly Pattern[])[];
  /** Property by which the items of a list are told apart; default `name`, else `id`, else the list is compared whole. */
  readonly keys?: Readonly<Record<Pattern, string>>;
  /** Lists of scalars in which order and repetition mean nothing. */
  readonly sets?: readonly Pattern[];
  /** Places that another owner decides: sent when the resource is created, never compared or written afterwards. */
  readonly yields?: readonly Pattern[];
  /** Cannot change in Azure: keeps its observed value, refused as `ImmutableDrift`. */
  readonly immutable?: readonly Pattern[];
  /** The value that equals absence. */
  readonly absentMeans?: Readonly<Record<Pattern, Json>>;
  /** What to send to clear a leaf that Azure would keep when it is left out. */
  readonly clear?: Readonly<Record<Pattern, Json>>;
  readonly effects?: Readonly<Record<Pattern, Effect>>;
  /** How two values are equal; default: strings exactly, except ids (`…id` whose value starts with `/subscriptions/`) and `location`. */
  readonly compare?: Readonly<Record<Pattern, "ignoreCase" | "address" | "location">>;
  /**
   * Fields that no two items of a list may share (rule priority and direction, frontend port): a foreign item with the
   * same values makes ours impossible and is reported as `ForeignConflict`, never written over.
   */
  readonly exclusive?: Readonly<Record<Pattern, readonly string[]>>;
}
