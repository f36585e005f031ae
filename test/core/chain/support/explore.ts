import { fairSuccessor, successors } from "./actions.ts";
import { fingerprint, hash53 } from "./fingerprint.ts";
import { isQuiescent, isSettled, type Protocol, type Scenario, Violation, type World } from "./model.ts";

export interface Exploration {
  readonly states: number;
  /** Steps from the start to the farthest state. */
  readonly depth: number;
  /** All that can be reached was reached. */
  readonly complete: boolean;
  readonly violation?: { readonly message: string; readonly trace: readonly string[] };
}

interface Node {
  readonly world: World;
  readonly key: number;
  readonly depth: number;
  readonly action: string;
  readonly parent: Node | undefined;
}

const longestCalmWay = 2_000;

const traceOf = (node: Node): readonly string[] =>
  node.parent === undefined ? [node.action] : [...traceOf(node.parent), node.action];

/** Follows the way on which no more faults happen, and tells how long the object stays unsettled on it. */
const calmWay = (scenario: Scenario, protocol: Protocol) => {
  const known = new Map<number, number>();
  const keyOf = (world: World): number =>
    hash53(fingerprint({ ...world, budget: {}, current: undefined, switches: 0 }, scenario.skewMs));
  return (start: World): number => {
    const way: { readonly key: number; readonly tookMs: number; readonly settled: boolean }[] = [];
    let world = start;
    let restMs: number | undefined;
    for (;;) {
      const key = keyOf(world);
      restMs = known.get(key) ?? (isQuiescent(world) ? 0 : undefined);
      if (restMs !== undefined) break;
      const next = fairSuccessor(world, scenario, protocol);
      if (next === undefined) throw new Violation(`stuck: ${describe(world)}`);
      if (way.length > longestCalmWay) throw new Violation(`never comes to rest: ${describe(world)}`);
      way.push({ key, tookMs: next.world.nowMs - world.nowMs, settled: isSettled(world) });
      world = next.world;
    }
    for (const { key, tookMs, settled } of way.toReversed()) {
      restMs = restMs > 0 || !settled ? restMs + tookMs : 0;
      known.set(key, restMs);
    }
    return restMs;
  };
};

const describe = (world: World): string =>
  JSON.stringify({
    settled: isSettled(world),
    row: world.row && { turn: world.row.turn, dirty: world.row.dirty, sent: world.row.sent, lease: world.row.lease },
    messages: world.messages.map(
      ({ item, dueMs }) => `${item.cause} ${item.turn ?? ""} +${(dueMs - world.nowMs) / 1000}`,
    ),
  });

/** Breadth first through all that can happen, to the end or until there are too many states. */
export const explore = (start: World, scenario: Scenario, protocol: Protocol): Exploration => {
  const rest = calmWay(scenario, protocol);
  const seen = new Set<number>();
  const queue: Node[] = [];
  const visit = (world: World, action: string, parent: Node | undefined): void => {
    const key = hash53(fingerprint(world, scenario.skewMs));
    if (seen.has(key)) return;
    seen.add(key);
    const node = { world, key, depth: (parent?.depth ?? -1) + 1, action, parent };
    queue.push(node);
    const ms = check(node, () => rest(world));
    if (ms > scenario.deadlineMs) throw new Broken(`unsettled for ${ms / 1_000} s`, node);
  };
  const check = <T>(node: Node, run: () => T): T => {
    try {
      return run();
    } catch (error) {
      if (error instanceof Violation) throw new Broken(error.message, node);
      throw error;
    }
  };
  let at = 0;
  let depth = 0;
  try {
    visit(start, "start", undefined);
    for (; at < queue.length && queue.length <= scenario.statesAtMost; at++) {
      const node = queue[at]!;
      depth = node.depth;
      for (const { action, world } of check(node, () => successors(node.world, scenario, protocol)))
        visit(world, action, node);
    }
    return { states: seen.size, depth, complete: at === queue.length };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return {
      states: seen.size,
      depth,
      complete: false,
      violation: { message: error.message, trace: traceOf(error.node) },
    };
  }
};

class Broken extends Error {
  readonly node: Node;
  constructor(message: string, node: Node) {
    super(message);
    this.node = node;
  }
}
