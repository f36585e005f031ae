import { lingering } from "../core/guard/lingering.ts";
import { nowOf, type Session } from "./session.ts";
import type { Item } from "./work.ts";

/**
 * While two writers of the spec fight over a resource its condition tells of that, not of each write that comes of it:
 * what an operation would say is left out, and what stood there stays.
 */
export const steadied = (item: Item, session: Session): Item =>
  item.state?.kind === "inProgress" && lingering(item.row, session.circumstances, nowOf(session)) !== undefined
    ? { ...item, state: { kind: "waiting", why: "Azure is at work on it" } }
    : item;
