import { Heap } from "./heap.ts";

/** Something that is to happen to a message at a time. */
interface Entry {
  readonly atMs: number;
  readonly sequenceNumber: number;
}

/** When messages become active or expire: in order of time, within one instant in order of sequence number. */
export class Agenda {
  readonly #entries = new Heap<Entry>((a, b) =>
    a.atMs === b.atMs ? a.sequenceNumber < b.sequenceNumber : a.atMs < b.atMs,
  );

  get size(): number {
    return this.#entries.size;
  }

  add(atMs: number, sequenceNumber: number): void {
    this.#entries.push({ atMs, sequenceNumber });
  }

  nextMs(): number | undefined {
    return this.#entries.peek()?.atMs;
  }

  /** Takes out the first entry that is due. */
  takeDue(nowMs: number): number | undefined {
    const first = this.#entries.peek();
    return first && first.atMs <= nowMs ? this.#entries.pop()?.sequenceNumber : undefined;
  }

  clear(): void {
    this.#entries.clear();
  }
}
