import { type FileHandle, open, rename } from "node:fs/promises";

export interface JournalOptions {
  readonly path: string;
  /** Wait for the disk with each group of lines: survives a power cut too, not only a killed process. Default false. */
  readonly sync?: boolean;
  /** The file is not rewritten before it has this size; default 8 MiB. */
  readonly compactFromBytes?: number;
  /** Lines that say the same as the whole journal; what is current is copied before this returns. */
  readonly snapshot: () => Iterable<string>;
  /** Size of what `snapshot` would give, roughly. */
  readonly liveBytes: () => number;
  /** Called once when the disk fails; from then on nothing is accepted any more. */
  readonly onFailure: (error: Error) => void;
}

/** The file is rewritten when it is this many times larger than what is still alive in it. */
const growthFactor = 4;
const chunkBytes = 1 << 20;

/**
 * An append-only file of lines with group commit: what is appended while a write is under way goes into the next one.
 * It is rewritten from a snapshot when opened, and beside normal operation when it has outgrown its live content.
 */
export class Journal {
  readonly #options: JournalOptions;
  readonly #compactFromBytes: number;
  #file: FileHandle;
  #bytes: number;
  #pending: string[] = [];
  /** The group that collects, and the one being written. */
  #next: PromiseWithResolvers<void> | undefined;
  #current: PromiseWithResolvers<void> | undefined;
  #running: Promise<void> | undefined;
  #failure: Error | undefined;
  /** Lines since the snapshot of a running compaction. */
  #sinceSnapshot: string[] | undefined;
  #rewritten: Rewritten | undefined;
  #compaction: Promise<void> | undefined;
  #nextCheckBytes: number;

  /** Writes the snapshot to a new file that takes the place of the old one. */
  static async open(options: JournalOptions): Promise<Journal> {
    const { file, bytes } = await writeSnapshot(options, options.snapshot());
    await rename(temporary(options.path), options.path);
    return new Journal(options, file, bytes);
  }

  private constructor(options: JournalOptions, file: FileHandle, bytes: number) {
    this.#options = options;
    this.#compactFromBytes = options.compactFromBytes ?? 8 << 20;
    this.#nextCheckBytes = this.#compactFromBytes;
    this.#file = file;
    this.#bytes = bytes;
  }

  append(line: string): void {
    this.#pending.push(line);
    this.#sinceSnapshot?.push(line);
  }

  /** Resolves when everything appended so far is in the file; rejects when that failed. */
  commit(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#pending.length === 0 && !this.#next) return this.#current?.promise ?? Promise.resolve();
    this.#next ??= Promise.withResolvers();
    // Written at the end of this turn of the event loop, so that all commands of one network read share a write.
    this.#running ??= new Promise(setImmediate).then(() => this.#run());
    return this.#next.promise;
  }

  /** Writes what is left and closes the file. Rejects when that failed; after an earlier failure it only closes. */
  async close(): Promise<void> {
    try {
      await this.#compaction;
      if (this.#pending.length > 0 && !this.#failure) await this.commit();
      await this.#running;
    } finally {
      await this.#file.close();
    }
  }

  async #run(): Promise<void> {
    while (this.#next || this.#rewritten) {
      const lines = this.#pending;
      this.#current = this.#next;
      this.#pending = [];
      this.#next = undefined;
      try {
        await (this.#rewritten ? this.#switchFile(this.#rewritten) : this.#write(lines));
        this.#current?.resolve();
        this.#compactIfGrown();
      } catch (error) {
        this.#fail(error);
      }
      this.#current = undefined;
    }
    this.#running = undefined;
  }

  async #write(lines: readonly string[]): Promise<void> {
    const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    this.#bytes += text.length;
    await this.#file.appendFile(text);
    if (this.#options.sync) await this.#file.datasync();
  }

  /** Every line that is not in the old file yet is either in the snapshot or among those since. */
  async #switchFile({ file, bytes, switched }: Rewritten): Promise<void> {
    const old = this.#file;
    const lines = this.#sinceSnapshot ?? [];
    this.#rewritten = undefined;
    this.#sinceSnapshot = undefined;
    this.#file = file;
    this.#bytes = bytes;
    await this.#write(lines).finally(switched.resolve);
    await rename(temporary(this.#options.path), this.#options.path);
    await old.close();
  }

  #compactIfGrown(): void {
    if (this.#bytes < this.#nextCheckBytes || this.#compaction || this.#failure) return;
    this.#nextCheckBytes = this.#bytes + this.#compactFromBytes;
    if (this.#bytes >= growthFactor * this.#options.liveBytes()) this.#compaction = this.#compact();
  }

  async #compact(): Promise<void> {
    const switched = Promise.withResolvers<void>();
    try {
      this.#sinceSnapshot = [];
      this.#rewritten = { ...(await writeSnapshot(this.#options, this.#options.snapshot())), switched };
      this.#nextCheckBytes = this.#rewritten.bytes + this.#compactFromBytes;
      this.#running ??= this.#run();
      await switched.promise;
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#compaction = undefined;
    }
  }

  #fail(error: unknown): void {
    const failure = error instanceof Error ? error : new Error(String(error));
    this.#current?.reject(failure);
    this.#next?.reject(failure);
    this.#next = undefined;
    if (this.#failure) return;
    this.#failure = failure;
    this.#options.onFailure(failure);
  }
}

interface Rewritten {
  readonly file: FileHandle;
  readonly bytes: number;
  readonly switched: PromiseWithResolvers<void>;
}

const temporary = (path: string): string => `${path}.new`;

const writeSnapshot = async (
  options: JournalOptions,
  lines: Iterable<string>,
): Promise<Omit<Rewritten, "switched">> => {
  const file = await open(temporary(options.path), "w");
  let bytes = 0;
  let chunk: string[] = [];
  let chunkLength = 0;
  const flush = async () => {
    const text = Buffer.from(chunk.join(""));
    bytes += text.length;
    chunk = [];
    chunkLength = 0;
    await file.appendFile(text);
  };
  for (const line of lines) {
    chunk.push(`${line}\n`);
    chunkLength += line.length;
    if (chunkLength >= chunkBytes) await flush();
  }
  await flush();
  if (options.sync) await file.datasync();
  return { file, bytes };
};
