import type { Reference, Resource, World } from "./armState.ts";
import type { FieldRule } from "./fieldRules.ts";
import type { JsonObject } from "./json.ts";
import type { OperationStyle } from "./options.ts";
import type { Answer } from "./protocol.ts";

/** How a provider answers a write, as public recordings show it. */
export interface PutStyle {
  readonly created: number;
  readonly updated: number;
  /** State that a new one and a changed one show until the operation ends. */
  readonly creating: string;
  readonly updating: string;
  /** Shows "Succeeded" at once although an operation runs (NICs, load balancers). */
  readonly atOnce: boolean;
  readonly how: OperationStyle;
  readonly retryAfterSeconds: number | undefined;
  /** The same for a change. Default: as for a new one. */
  readonly updateRetryAfterSeconds?: number | undefined;
  /** Whether a change of nothing but tags is done at once. */
  readonly tagsAtOnce?: boolean;
  /** Whether the answer carries the resource; else it is an empty object. */
  readonly body: boolean;
  /** Whether the answer to a creation names the new resource in Location. */
  readonly located?: boolean;
}

export interface DeleteStyle {
  readonly how: OperationStyle;
  readonly retryAfterSeconds: number | undefined;
  /** Status of a synchronous delete, 200 or 204. */
  readonly done: number;
  /** Whether a synchronous delete answers with what it deleted. */
  readonly body: boolean;
}

/** A list in `properties` whose items have ids of their own. */
export interface ChildRules {
  readonly collection: string;
  /** Whether an item can be written by its own URL. */
  readonly writable: boolean;
  /** Whether the list shows even when it is empty. */
  readonly always: boolean;
  /** From this api-version on a PUT of the parent without the list leaves the items alone. */
  readonly keptSince?: string;
  /** The segment of the items' ids and types where it differs from the list's name. */
  readonly segment?: string;
  /** What a write or a deletion of one item by its own URL asks to wait. Default: as the parent. */
  readonly retryAfterSeconds?: number;
  /** Whether items are written and deleted independently of each other, several at once. */
  readonly apart?: boolean;
}

/** A PUT in the making: `body` is what would be stored. */
export interface Draft {
  readonly world: World;
  readonly rules: TypeRules;
  readonly id: string;
  readonly type: string;
  readonly existing: Resource | undefined;
  readonly sent: JsonObject;
  readonly body: JsonObject;
  readonly secrets: JsonObject;
  readonly query: URLSearchParams;
  /** Id of the child that is written by its own URL. */
  readonly touched: string | undefined;
}

/** Everything that is particular about one resource type. */
export interface TypeRules {
  readonly type: string;
  /** Default `"required"`; `"optional"` for types that are not known. */
  readonly location?: "required" | "global" | "none" | "optional";
  readonly zonal?: boolean;
  readonly put?: Partial<PutStyle>;
  readonly remove?: Partial<DeleteStyle>;
  /** What PATCH does. Default `"merge"`. */
  readonly patch?: "tags" | "merge";
  /** Where the etag shows and how it looks. Default `"none"`. */
  readonly etag?: "weak" | "quoted" | "eTag" | "guid" | "none";
  readonly hasState?: boolean;
  /** Ids come back with `resourcegroups` in lower case. */
  readonly lowerCaseGroups?: boolean;
  readonly children?: readonly ChildRules[];
  readonly fields?: readonly FieldRule[];
  /** A PUT leaves alone what it does not name; lists, labels and tags that it names are taken as they are. */
  readonly keepsLeftOut?: boolean;
  /** Properties that a PUT never sets and that survive it. */
  readonly owned?: readonly string[];
  /** What a missing reference answers. Default 400 `InvalidResourceReference`. */
  readonly missingReference?: "InvalidResourceReference" | "NotFound" | "ignored";
  /** Refuses a draft. */
  readonly check?: (draft: Draft) => Answer | undefined;
  /** Fills what Azure computes at once. */
  readonly compute?: (draft: Draft) => void;
  /** Fills what Azure computes when the operation ends. */
  readonly provisioned?: (world: World, resource: Resource) => void;
  /** Why an operation on it fails although the request was accepted. */
  readonly fails?: (draft: Draft) => { readonly code: string; readonly message: string } | undefined;
  /** Properties that a read shows and the answer to a write does not. */
  readonly readsOnly?: readonly string[];
  /** Adds what is computed at each read. */
  readonly view?: (world: World, resource: Resource, body: JsonObject, expand: string) => void;
  /** What a POST action does; undefined: an operation that changes nothing. */
  readonly action?: (world: World, resource: Resource, action: string, body: JsonObject) => ActionResult | undefined;
  /** Refuses a delete. */
  readonly inUse?: (world: World, resource: Resource) => Answer | undefined;
  /** Refuses the removal of a child, by its own URL or by a PUT that leaves it out. */
  readonly childInUse?: (world: World, childId: string, references: readonly Reference[]) => Answer | undefined;
  /** What follows a delete or the end of a child. */
  readonly removed?: (world: World, resource: Resource) => void;
}

/** A POST action that answers at once, or one that changes something when its operation ends. */
export type ActionResult =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "operation"; readonly finish: (world: World) => void; readonly result?: JsonObject };

const networkPut: PutStyle = {
  created: 201,
  updated: 200,
  creating: "Updating",
  updating: "Updating",
  atOnce: false,
  how: "operation",
  retryAfterSeconds: 3,
  body: true,
};
const otherPut: PutStyle = { ...networkPut, creating: "Creating", retryAfterSeconds: 10 };

const forced = (world: World, rules: TypeRules): OperationStyle | undefined => {
  const wanted = rules.type.toLowerCase();
  return Object.entries(world.state.options.operationStyles ?? {}).find(([type]) => type.toLowerCase() === wanted)?.[1];
};

/** How a PUT on a type is answered: as its provider does, or as the options force it to. */
export const putStyle = (world: World, rules: TypeRules): PutStyle => {
  const own = { ...(/^microsoft\.network\//i.test(rules.type) ? networkPut : otherPut), ...rules.put };
  const how = forced(world, rules);
  if (how === undefined) return own;
  // A Location counts as an operation on a 202 only.
  return how === "location" ? { ...own, how, created: 202, updated: 202, body: false } : { ...own, how };
};

/** How a DELETE on a type is answered. */
export const deleteStyle = (world: World, rules: TypeRules): DeleteStyle => {
  const own: DeleteStyle = { how: "operation", retryAfterSeconds: 10, done: 200, body: false, ...rules.remove };
  return { ...own, how: forced(world, rules) ?? own.how };
};
