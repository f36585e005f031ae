/** The message ids a queue accepted within its duplicate-detection window. */
export class DuplicateHistory {
  /** Insertion order is time order, so that what has left the window is always at the front. */
  readonly #acceptedAtMs = new Map<string, number>();
  readonly #windowMs: number;

  /** A window of 0 remembers nothing. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  has(id: string, nowMs: number): boolean {
    const at = this.#acceptedAtMs.get(id);
    return at !== undefined && nowMs - at < this.#windowMs;
  }

  remember(id: string, atMs: number): void {
    if (this.#windowMs === 0) return;
    for (const [oldest, acceptedAtMs] of this.#acceptedAtMs) {
      if (atMs - acceptedAtMs < this.#windowMs) break;
      this.#acceptedAtMs.delete(oldest);
    }
    this.#acceptedAtMs.delete(id);
    this.#acceptedAtMs.set(id, atMs);
  }

  entries(): readonly (readonly [id: string, atMs: number])[] {
    return [...this.#acceptedAtMs];
  }

  get size(): number {
    return this.#acceptedAtMs.size;
  }
}
