import { type ChainRow, isHeldBy } from "../../../../src/core/chain/chainRow.ts";
import type { Commit, TurnOutcome } from "../../../../src/core/chain/commit.ts";
import { limits } from "../../../../src/core/chain/limits.ts";
import { drift } from "../../../../src/core/chain/messages.ts";
import type { Outgoing } from "../../../../src/core/workItem.ts";
import { address } from "./build.ts";
import { send, spend, withRow, write } from "./effects.ts";
import { inputsIn, type Protocol, type Run, Violation, type World } from "./model.ts";

const pollMs = 10_000;
const driftPeriodMs = 3_600_000;

/** All that a worker's next step may lead to. The first is what happens when nothing goes wrong. */
export const stepsOf = (world: World, worker: number, protocol: Protocol, skewMs: number): readonly World[] => {
  const run = world.workers[worker];
  return run === undefined ? [] : new Step(world, worker, run, protocol, skewMs).next();
};

class Step {
  readonly #world: World;
  readonly #worker: number;
  readonly #run: Run;
  readonly #protocol: Protocol;
  readonly #skewMs: number;

  constructor(world: World, worker: number, run: Run, protocol: Protocol, skewMs: number) {
    this.#world = world;
    this.#worker = worker;
    this.#run = run;
    this.#protocol = protocol;
    this.#skewMs = skewMs;
  }

  next(): readonly World[] {
    switch (this.#run.phase) {
      case "judge":
        return this.#judge();
      case "flushSend":
        return this.#sendVerdict("flushMark");
      case "flushMark":
        return this.#mark("judge");
      case "reschedule":
        return this.#sendVerdict("complete");
      case "deferWake":
        return this.#deferWake();
      case "deferFlag":
        return this.#deferFlag();
      case "take":
        return this.#take();
      case "takeUnknown":
        return this.#takeUnknown();
      case "gather":
        return this.#gather();
      case "intend":
        return this.#intend();
      case "intendUnknown":
      case "commitUnknown":
        return [this.#afterUnknown(this.#run.phase === "intendUnknown" ? "intend" : "commit")];
      case "check":
        return [this.#check()];
      case "write":
        return [this.#write()];
      case "commit":
        return this.#commit();
      case "outboxSend":
        return [this.#to({ phase: "outboxMark" }, this.#sent(this.#run.row?.outbox))];
      case "outboxMark":
        return this.#mark("complete");
      case "complete":
        return [this.#complete()];
    }
  }

  #to(changes: Partial<Run>, world: World = this.#world): World {
    const run = { ...this.#run, ...changes };
    return { ...world, workers: world.workers.map((one, at) => (at === this.#worker ? run : one)) };
  }

  #sent(outgoing: Outgoing | undefined): World {
    return outgoing === undefined ? this.#world : send(this.#world, this.#protocol, outgoing);
  }

  #complete(): World {
    const { messages, workers } = this.#world;
    return {
      ...this.#world,
      messages: messages.filter(({ lockedBy }) => lockedBy !== this.#worker),
      workers: workers.map((one, at) => (at === this.#worker ? undefined : one)),
    };
  }

  #judge(): readonly World[] {
    return [0, ...(this.#skewMs > 0 ? [this.#skewMs] : [])].map((skewMs) => {
      const { row, nowMs, etag } = this.#world;
      const name = `n${String(this.#world.names).padStart(3, "0")}`;
      const call = { row, item: this.#run.item, nowMs: nowMs - skewMs, nonce: name, incarnation: `${name}i` };
      const verdict = this.#protocol.judge(call);
      // Between judging and ending nothing happens that anybody could see.
      if (verdict.kind === "end") return this.#complete();
      const phase = {
        flush: "flushSend",
        reschedule: "reschedule",
        defer: "deferWake",
        run: "take",
      } as const;
      return this.#to(
        { phase: phase[verdict.kind], verdict, skewMs, startMs: nowMs, nonce: name, etag },
        { ...this.#world, names: this.#world.names + 1 },
      );
    });
  }

  #sendVerdict(phase: "flushMark" | "complete"): readonly World[] {
    const { verdict } = this.#run;
    const outgoing = verdict?.kind === "flush" || verdict?.kind === "reschedule" ? verdict.outgoing : undefined;
    return [this.#to({ phase }, this.#sent(outgoing))];
  }

  #mark(phase: "judge" | "complete"): readonly World[] {
    const { verdict, row, etag } = this.#run;
    const marked = phase === "judge" && verdict?.kind === "flush" ? verdict.row : row && { ...row, sent: true };
    const onDone = (world: World): World => this.#to({ phase }, world);
    const fits = this.#world.row !== undefined && (!this.#protocol.fenced.mark || etag === this.#world.etag);
    return write(this.#world, {
      fits,
      done: (world) => withRow(world, marked),
      onDone,
      onRace: onDone,
      onUnknown: onDone,
    });
  }

  #deferWake(): readonly World[] {
    const { verdict } = this.#run;
    const wake = verdict?.kind === "defer" ? verdict.wake : undefined;
    const flag = verdict?.kind === "defer" && verdict.row !== undefined;
    const world = this.#sent(wake);
    return [flag ? this.#to({ phase: "deferFlag" }, world) : this.#to({ phase: "complete" }, this.#heard(world))];
  }

  #deferFlag(): readonly World[] {
    const { verdict, etag } = this.#run;
    const flagged = verdict?.kind === "defer" ? verdict.row : undefined;
    const judgeAgain = (world: World): World => this.#to({ phase: "judge" }, world);
    return write(this.#world, {
      fits: this.#world.row !== undefined && (!this.#protocol.fenced.flag || etag === this.#world.etag),
      done: (world) => (flagged === undefined ? world : withRow(world, flagged)),
      onDone: (world) => this.#to({ phase: "complete" }, this.#heard(world)),
      onRace: judgeAgain,
      onUnknown: judgeAgain,
    });
  }

  #heard(world: World): World {
    return this.#run.item.paused ? { ...world, pauseHeard: true } : world;
  }

  #take(): readonly World[] {
    const { verdict, etag, nonce } = this.#run;
    if (verdict?.kind !== "run") throw new Violation("takes a lease without a verdict");
    const { row } = this.#world;
    const fits = verdict.insert
      ? row === undefined
      : row !== undefined && (!this.#protocol.fenced.take || etag === this.#world.etag);
    return write(this.#world, {
      fits,
      done: (world) => withRow({ ...world, pauseHeard: false }, verdict.row),
      onDone: (world) => {
        this.#mustBringNews(row);
        return this.#taken(world);
      },
      onRace: (world) => this.#to({ phase: "takeUnknown" }, world),
      onUnknown: (world) =>
        this.#protocol.readsAfterUnknown ? this.#to({ phase: "takeUnknown", nonce }, world) : this.#taken(world),
    });
  }

  #taken(world: World): World {
    const { verdict } = this.#run;
    const row = verdict?.kind === "run" ? verdict.row : undefined;
    return this.#to(
      {
        phase: "gather",
        etag: world.etag,
        ...(row === undefined ? {} : { row }),
        turnBefore: row?.turn ?? 0,
        losses: world.losses,
        takenOver: verdict?.kind === "run" && verdict.takenOver,
        lost: false,
        wrote: false,
        leftOver: false,
        failed: false,
      },
      world,
    );
  }

  #takeUnknown(): readonly World[] {
    return [isHeldBy(this.#world.row, this.#run.nonce) ? this.#taken(this.#world) : this.#to({ phase: "judge" })];
  }

  /** A turn before the due time is for news, for a person, or after a crash: nothing else shortens a back-off. */
  #mustBringNews(row: ChainRow | undefined): void {
    const { item } = this.#run;
    if (row === undefined || row.dueMs <= this.#world.nowMs + limits.earlyMs || row.lease.endMs !== 0) return;
    const isNews = row.seen?.generation !== item.generation || row.seen.inputs !== item.inputs;
    const mayRun = item.cause === "change" ? isNews : item.cause === "drift" || item.listed === true;
    if (!mayRun) throw new Violation(`a ${item.cause} without news ran before the row was due`);
  }

  #gather(): readonly World[] {
    const { ledger, generation, paused, azure } = this.#world;
    const { row, takenOver } = this.#run;
    const observed = !paused && (takenOver || ledger === undefined || ledger.intent !== 0 || row?.why.observe === true);
    const known = observed || ledger === undefined ? azure : ledger.applied;
    const read = { generation, inputs: inputsIn(this.#world), paused, known, observed };
    const usual = this.#to({ ...read, phase: paused || known === generation ? "commit" : "intend" });
    const spent = spend(this.#world, "outage");
    return spent === undefined ? [usual] : [usual, this.#to({ phase: "commit", failed: true }, spent)];
  }

  #fitsRow(): boolean {
    const { row, etag } = this.#world;
    return row !== undefined && (!this.#protocol.fenced.commit || this.#run.etag === etag);
  }

  #intend(): readonly World[] {
    const { row, generation, known } = this.#run;
    const onDone = (world: World): World => this.#to({ phase: "check", etag: world.etag }, world);
    const onUnknown = (world: World): World => this.#to({ phase: "intendUnknown" }, world);
    return write(this.#world, {
      fits: this.#fitsRow(),
      done: (world) => withRow({ ...world, ledger: { applied: known, intent: generation } }, row),
      onDone,
      onRace: onUnknown,
      onUnknown: this.#protocol.readsAfterUnknown ? onUnknown : onDone,
    });
  }

  #afterUnknown(retry: "intend" | "commit"): World {
    const { row, etag } = this.#world;
    const { nonce, turnBefore } = this.#run;
    switch (this.#protocol.afterUnknownWrite({ row, nonce, turnBefore })) {
      case "committed":
        return this.#to({ phase: "outboxSend", etag, ...(row === undefined ? {} : { row }) });
      case "writeAgain":
        return this.#to({ phase: retry, etag, ...(row === undefined ? {} : { row }) });
      case "insert":
        return this.#to({ phase: "commit", lost: true });
      case "stop":
        return this.#stopped();
    }
  }

  #stopped(): World {
    return this.#to({ phase: this.#protocol.judgesAfterStop ? "judge" : "complete" });
  }

  #check(): World {
    const { row, etag, pauseHeard, paused } = this.#world;
    switch (this.#protocol.beforeWave(row, this.#run.nonce)) {
      case "goOn":
        if (pauseHeard && paused) throw new Violation("goes on writing although the pause was heard");
        return this.#to({ phase: "write", etag, ...(row === undefined ? {} : { row }) });
      case "finish":
        return this.#to({
          phase: "commit",
          lost: row === undefined,
          leftOver: true,
          etag,
          ...(row === undefined ? {} : { row }),
        });
      case "stop":
        return this.#stopped();
    }
  }

  #write(): World {
    const { row, nowMs, losses } = this.#world;
    const { startMs, nonce, generation } = this.#run;
    if (!this.#protocol.mayCallAzure(nowMs - startMs)) return this.#to({ phase: "commit", leftOver: true });
    const wrote = this.#to({ phase: "commit", wrote: true }, { ...this.#world, azure: generation });
    if (isHeldBy(row, nonce)) return wrote;
    if (losses === this.#run.losses) throw new Violation("writes to Azure after its lease was taken over");
    // With the row lost this cannot be told in time; the drift timer sees a write that is not the row's last.
    return send(wrote, this.#protocol, drift({ address, uid: "u", scheduledMs: nowMs, dueMs: nowMs + 300_000, nowMs }));
  }

  #outcome(): TurnOutcome {
    const { failed, generation, inputs, wrote, leftOver, observed, known } = this.#run;
    const { nowMs } = this.#world;
    if (failed) return { kind: "surroundings" };
    const dueMs = nowMs + (leftOver ? 0 : wrote ? pollMs : driftPeriodMs);
    const settled = !leftOver && (wrote || known === generation);
    return {
      kind: "turned",
      seen: { uid: "u", generation, inputs },
      dueMs,
      idle: !wrote && !leftOver,
      observed,
      settled,
    };
  }

  #committed(): ChainRow {
    const { row, skewMs, lost, nonce } = this.#run;
    if (row === undefined) throw new Violation("commits without a row");
    const input: Commit = {
      row: { ...row, lease: { ...row.lease, nonce } },
      address,
      outcome: this.#outcome(),
      nowMs: this.#world.nowMs - skewMs,
      incarnation: `${nonce}j`,
    };
    return lost ? this.#protocol.commitAnew(input) : this.#protocol.commit(input);
  }

  #commit(): readonly World[] {
    const { lost, wrote, generation, observed, known, failed } = this.#run;
    const row = this.#committed();
    const ledger = this.#world.ledger;
    const facts = wrote || observed ? { applied: wrote ? generation : known, intent: 0 } : ledger;
    const onUnknown = (world: World): World => this.#to({ phase: "commitUnknown" }, world);
    const onDone = (world: World): World => this.#to({ phase: "outboxSend", row, etag: world.etag }, world);
    return write(
      { ...this.#world, indexMs: row.dueMs },
      {
        fits: lost ? this.#world.row === undefined : this.#fitsRow(),
        done: (world) => withRow({ ...world, ledger: failed ? ledger : facts }, row),
        onDone,
        onRace: lost ? () => this.#stopped() : onUnknown,
        onUnknown: this.#protocol.readsAfterUnknown ? onUnknown : onDone,
      },
    );
  }
}
