import type { TurnOutcome } from "../core/chain/commit.ts";
import { canonicalJson } from "../core/hash.ts";
import { seenOf } from "../core/inputs.ts";
import type { KindInput } from "../core/kind.ts";
import { type Projection, project, withOwnWrites } from "../core/projection.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { Failure, JsonObject, KubeObject } from "../core/types.ts";
import type { WorkItem } from "../core/workItem.ts";
import type { Kube, TableAction } from "../ports.ts";
import type { Deps } from "./deps.ts";
import type { Discreet } from "./discreet.ts";
import type { Explained, Held as HeldBack } from "./explained.ts";
import type { Held } from "./fence.ts";
import type { GuardedKube } from "./guardedKube.ts";
import { type Ledger, withoutHolds } from "./ledger.ts";

/** One turn that has the lease: what its parts share. */
export interface Turning {
  readonly deps: Deps;
  readonly item: WorkItem;
  readonly kind: RunnableKind;
  readonly kube: Kube;
  /** What Capstan says in metadata and spec of the object and somebody else will not have so. */
  readonly contests: GuardedKube["contests"];
  readonly held: Held;
  /** The turn before never committed: what it has sent is looked at before anything is planned. */
  readonly takenOver: boolean;
  readonly ledger: Ledger;
  /** All rows of the partition beside the object row, also those that cannot be read. */
  readonly rowNames: readonly string[];
  /** The one identity that has the object's finalizer, as `namespace/name`; undefined: any may have it. */
  readonly onlyIdentity: string | undefined;
  readonly startedMs: number;
  /** What Azure answered so far. */
  readonly exchanges: Discreet["exchanges"];
  /** Blanks every secret that the turn has come across. */
  readonly blank: Discreet["blank"];
}

/** An object as a turn has it before it: read, with all that it obeys. */
export interface Present {
  readonly object: KubeObject;
  readonly input: KindInput;
  readonly known: readonly Projection[];
}

/** The ledger as far as it concerns this very object; rows that differ from the stored ones are written back. */
export const ledgerFor = ({ ledger, held }: Turning, { object }: Pick<Present, "object">): Ledger =>
  held.row.uid === "" || held.row.uid === object.metadata.uid ? ledger : withoutHolds(ledger);

/** How the work of a turn ended, before it is remembered. */
export type Ending =
  | {
      readonly kind: "commit";
      readonly held: Held;
      readonly outcome: TurnOutcome;
      readonly rows: readonly TableAction[];
      readonly wrote: readonly Explained[];
      readonly polled: number;
      /** For the log: a few words. */
      readonly result: string;
      readonly failure?: Failure;
      /** Resources that the loop guard holds back. */
      readonly holds?: readonly HeldBack[];
      /** `namespace/name` of the identity with which the object asks Azure; empty: it has none of its own. */
      readonly identity?: string;
      /** The object is paused and may be moved, or was moved. */
      readonly movable?: true;
    }
  /** Another turn has the object: nothing is written, nothing is sent. */
  | { readonly kind: "lost" }
  /** The table does not answer. */
  | { readonly kind: "tables"; readonly failure: Failure }
  /** The object is gone and so are its rows. */
  | { readonly kind: "removed"; readonly result: string };

/** The ending with the identity that goes with the object as read. */
export const withIdentity = (ending: Ending, { input }: Pick<Present, "input">): Ending => {
  const metadata = input.dependencies["identity"]?.metadata;
  const identity = metadata === undefined ? "" : `${metadata.namespace}/${metadata.name}`;
  return ending.kind === "commit" ? { ...ending, identity } : ending;
};

/** Of an ending that neither wrote to Azure nor polled. */
export const nothingWritten: Pick<Extract<Ending, { kind: "commit" }>, "rows" | "wrote" | "polled"> = {
  rows: [],
  wrote: [],
  polled: 0,
};

/** An ending in which our surroundings failed: what was seen stays unchanged. */
export const surroundings = (held: Held, failure: Failure, done: Partial<typeof nothingWritten> = {}): Ending => {
  const { rows, wrote, polled } = { ...nothingWritten, ...done };
  return {
    kind: "commit",
    held,
    outcome: { kind: "surroundings" },
    rows,
    wrote,
    polled,
    result: "surroundings failed",
    failure,
  };
};

/** What a turn has said in metadata and spec of its object. */
export interface Said {
  /** As an own apply of metadata gave it back last, or as it was read. */
  readonly object: KubeObject;
  /** As an own apply of its spec gave it back, with the fields that were said. Default: there was none. */
  readonly spec?: { readonly object: KubeObject; readonly fields: JsonObject };
}

/**
 * What this turn has really read. Own applies are known, so they are no news: finalizer and annotations as the API server
 * gave them back, and its generation when its spec is the one that was read but for what was said. What somebody else
 * changed meanwhile stays news.
 */
export const seenBy = ({ object: read, known }: Present, { object, spec }: Said): ReturnType<typeof seenOf> => {
  const seen = seenOf(withOwnWrites(project(read), project(object)), known);
  if (spec === undefined || spec.object.metadata.uid !== read.metadata.uid) return seen;
  const isOurs = canonicalJson(spec.object.spec) === canonicalJson({ ...read.spec, ...spec.fields });
  return isOurs ? { ...seen, generation: spec.object.metadata.generation } : seen;
};
