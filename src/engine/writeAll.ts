import { isHeldBack } from "../core/heldBack.ts";
import { idKey } from "../core/ids.ts";
import type { Failure } from "../core/types.ts";
import { type Acted, act, type Writing } from "./act.ts";
import type { Driven } from "./drive.ts";
import { explained } from "./explained.ts";
import { failed } from "./failed.ts";
import { type Held, type Saved, saveRows } from "./fence.ts";
import { savingOf } from "./ledger.ts";
import { inPool, type Session } from "./session.ts";
import { type Item, parentIn, unread, type Work, withItems } from "./work.ts";

/** The writes of one wave: what goes on the object first, then the intents under the fence, then the requests. */
export const writeAll = async (
  driven: Driven,
  writing: readonly Writing[],
  before: Work,
  session: Session,
): Promise<Driven> => {
  const claimed = await claimChildren(driven, writing, before, session);
  if (claimed.writing.length === 0) return claimed.driven;
  const intended = await intend(claimed.driven.held, claimed.writing, session);
  const { saved, tooLarge } = intended;
  const small = claimed.writing.filter((one) => !tooLarge.has(one));
  const held = saved.kind === "saved" || saved.kind === "finish" ? saved.held : driven.held;
  const refused = [...tooLarge].map(([one, failure]) => failed(restored(one, before), failure, session));
  const now: Driven = { ...claimed.driven, held, work: withItems(claimed.driven.work, refused) };
  switch (saved.kind) {
    case "saved":
      return send(now, small, before, session);
    case "finish":
      return undone({ ...now, ended: { kind: "stopped" } }, small, before);
    case "missing":
      return undone({ ...now, ended: { kind: "missing" } }, small, before);
    case "lost":
      return { ...now, ended: { kind: "lost" } };
    case "failed":
      return { ...now, ended: saved };
  }
};

/** Nothing was sent for these: they are as if they had not been looked at, and will be. */
export const undone = (driven: Driven, writing: readonly Writing[], before: Work): Driven => ({
  ...driven,
  work: withItems(
    driven.work,
    writing.map((one) => restored(one, before)),
  ),
});

const restored = ({ item }: Writing, before: Work): Item =>
  unread({ ...(before.get(idKey(item.desired.id)) ?? item), state: { kind: "waiting", why: "its turn" } });

/** A new untaggable child under somebody else's parent: nothing in Azure will tell that it is ours. */
const isChildAbroad = ({ item, write }: Writing, work: Work): boolean =>
  item.service.ownership === "parent" && write.verb === "creating" && parentIn(work, item)?.ours !== true;

const claimChildren = async (
  driven: Driven,
  writing: readonly Writing[],
  before: Work,
  session: Session,
): Promise<{ readonly driven: Driven; readonly writing: readonly Writing[] }> => {
  const abroad = writing.filter((one) => isChildAbroad(one, driven.work));
  if (abroad.length === 0) return { driven, writing };
  const claimed = await session.claimChildren(
    driven.object,
    abroad.map(({ item }) => item.desired.id),
  );
  if (claimed.ok) return { driven: { ...driven, object: claimed.value }, writing };
  const { error } = claimed;
  const work = withItems(
    driven.work,
    abroad.map((one) => failed(restored(one, before), error, session)),
  );
  return { driven: { ...driven, work }, writing: writing.filter((one) => !abroad.includes(one)) };
};

interface Intended {
  readonly saved: Saved;
  /** Writes whose row would not fit: refused before anything is sent. */
  readonly tooLarge: ReadonlyMap<Writing, Failure>;
}

const none: ReadonlyMap<Writing, Failure> = new Map();
const isTooLarge = (saved: Saved): saved is Extract<Saved, { kind: "failed" }> =>
  saved.kind === "failed" && saved.failure.code === "RowTooLarge";

/** All intents at once; when one of them is too large, each on its own, so that the others go on. */
const intend = async (held: Held, writing: readonly Writing[], { deps }: Session): Promise<Intended> => {
  const rowsOf = (some: readonly Writing[]) => some.map(({ item }) => savingOf(item.row));
  const all = await saveRows(held, rowsOf(writing), deps);
  if (!isTooLarge(all)) return { saved: all, tooLarge: none };
  let saved: Saved = { kind: "saved", held };
  const tooLarge = new Map<Writing, Failure>();
  for (const one of writing) {
    const next: Saved = await saveRows(saved.held, rowsOf([one]), deps);
    if (isTooLarge(next)) tooLarge.set(one, { ...next.failure, kind: "badConfiguration" });
    else if (next.kind === "saved") saved = next;
    else return { saved: next, tooLarge };
  }
  return { saved, tooLarge };
};

const isSent = (one: Acted | undefined): boolean => one?.kind === "acted" && !isHeldBack(one.item.row.backoff?.failure);

const send = async (driven: Driven, writing: readonly Writing[], before: Work, session: Session): Promise<Driven> => {
  const acted = await inPool(writing, (one) => act(one, session));
  const late = acted.some(({ kind }) => kind === "late");
  const items = acted.map(
    (one, index): Item => (one.kind === "acted" ? one.item : { ...restored(writing[index]!, before), intended: true }),
  );
  const sent = writing.filter((_, index) => isSent(acted[index]));
  return {
    ...driven,
    work: withItems(driven.work, items),
    wrote: [...driven.wrote, ...sent.flatMap(({ item }) => explained(item.row))],
    ...(late && { ended: { kind: "late" } }),
  };
};
