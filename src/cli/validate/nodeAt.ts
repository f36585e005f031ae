import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";

/** Where a path leads in a document. */
export interface Place {
  /** Offset of the value, or of its key where the value begins on a later line. */
  readonly offset: number;
  /** Offset of the key; of the value where it has none. */
  readonly keyOffset: number;
  readonly node: Node | undefined;
  /** How much of the path leads to nothing; the place is then that of the nearest parent. */
  readonly left: string;
}

const keyOf = (key: unknown): string => String(isScalar(key) ? key.value : key);

/** What is left of a path after its first step, if that is the key. Keys may hold dots and brackets themselves. */
const after = (path: string, key: string, atRoot: boolean): string | undefined => {
  const steps = [`.${key}`, `[${key}]`, ...(atRoot ? [key] : [])];
  return steps
    .filter((step) => path.startsWith(step))
    .map((step) => path.slice(step.length))
    .find((left) => left === "" || left.startsWith(".") || left.startsWith("["));
};

const startOf = (node: unknown): number | undefined =>
  isScalar(node) || isCollection(node) || isAlias(node) ? node.range?.[0] : undefined;

const isFlow = (node: unknown): boolean => isCollection(node) && node.flow === true;
const isWritten = (node: unknown): boolean => isScalar(node) && node.source !== "";

/** Longest first: of keys that fit, the one that says most. */
const byLeft = (one: Place, other: Place): number => one.left.length - other.left.length;

interface Walk {
  readonly document: Document;
  /** Aliases and merge keys may lead in circles. */
  readonly depth: number;
}

const deepest = 200;

const resolved = (node: unknown, { document }: Walk): unknown => (isAlias(node) ? node.resolve(document) : node);

const placeOfPair = ({ key, value }: Pair, left: string, atOffset: number, walk: Walk): Place => {
  const keyOffset = startOf(key) ?? atOffset;
  const ownLine = !isFlow(value) && !isWritten(value) && !isAlias(value);
  const offset = ownLine ? keyOffset : (startOf(value) ?? keyOffset);
  return find(value, left, { offset, keyOffset, node: undefined, left }, false, walk);
};

/** Whether a key (`<<`) takes fields over from elsewhere. */
export const isMergeKey = (key: unknown): boolean => isScalar(key) && key.source === "<<" && key.type === "PLAIN";

const merged = (map: YAMLMap, walk: Walk): readonly unknown[] =>
  map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => {
      const source = resolved(value, walk);
      return isSeq(source) ? source.items : [source];
    });

/** The pairs that a path may go on with. Of pairs with the same key the last one counts. */
const pairsOn = (
  map: YAMLMap,
  path: string,
  atRoot: boolean,
): readonly { readonly pair: Pair; readonly left: string }[] => [
  ...new Map(
    map.items.flatMap((pair) => {
      const key = keyOf(pair.key);
      const left = after(path, key, atRoot);
      return left === undefined ? [] : [[key, { pair, left }] as const];
    }),
  ).values(),
];

const inMap = (map: YAMLMap, path: string, here: Place, atRoot: boolean, walk: Walk): Place => {
  const own = pairsOn(map, path, atRoot).map(({ pair, left }) => placeOfPair(pair, left, here.offset, walk));
  const found = own.length > 0 ? own : merged(map, walk).map((node) => find(node, path, here, atRoot, walk));
  return found.toSorted(byLeft)[0] ?? here;
};

const find = (given: unknown, path: string, here: Place, atRoot: boolean, outer: Walk): Place => {
  const walk = { ...outer, depth: outer.depth + 1 };
  const node = resolved(given, walk);
  const known = isScalar(node) || isCollection(node) ? node : undefined;
  const at: Place = { ...here, node: known, left: path };
  if (path === "" || walk.depth > deepest) return at;
  if (isMap(node)) return inMap(node, path, at, atRoot, walk);
  const [step, index] = /^\[(\d+)\]/.exec(path) ?? [];
  const item: unknown = isSeq(node) && index !== undefined ? node.items[Number(index)] : undefined;
  if (item === undefined || step === undefined) return at;
  const offset = startOf(item) ?? at.offset;
  const left = path.slice(step.length);
  return find(item, left, { offset, keyOffset: offset, node: undefined, left }, false, walk);
};

/**
 * The node at a path such as `spec.networkSpec.subnets[1].name`, beginning at a node of the document, or the nearest parent
 * of what is not there. Aliases and merge keys are followed to where the value stands.
 */
export const nodeAt = (document: Document, root: unknown, path: string): Place => {
  const offset = startOf(root) ?? 0;
  return find(root, path, { offset, keyOffset: offset, node: undefined, left: path }, true, { document, depth: 0 });
};
