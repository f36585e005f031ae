import { type ChainRow, isHeldBy } from "../../../../src/core/chain/chainRow.ts";
import type { Commit, TurnOutcome } from "../../../../src/core/chain/commit.ts";
import { again, drift } from "../../../../src/core/chain/messages.ts";
import type { Outgoing } from "../../../../src/core/workItem.ts";
import { address } from "./build.ts";
import { abandon, announceGone, send, spend, withRow, write } from "./effects.ts";
import {
  mustBeDueLater,
  mustBelong,
  mustBringNews,
  mustHoldLease,
  mustNotGiveUp,
  mustNotOrphan,
  mustNotRepeat,
} from "./laws.ts";
import { inputsIn, type Protocol, type Run, type Scenario, Violation, type World } from "./model.ts";

const pollMs = 10_000;
const driftPeriodMs = 3_600_000;

/** All that a worker's next step may lead to. The first is what happens when nothing goes wrong. */
export const stepsOf = (world: World, worker: number, protocol: Protocol, scenario: Scenario): readonly World[] => {
  const run = world.workers[worker];
  return run === undefined ? [] : new Step(world, worker, run, protocol, scenario).next();
};

class Step {
  readonly #world: World;
  readonly #worker: number;
  readonly #run: Run;
  readonly #protocol: Protocol;
  readonly #scenario: Scenario;

  constructor(world: World, worker: number, run: Run, protocol: Protocol, scenario: Scenario) {
    this.#world = world;
    this.#worker = worker;
    this.#run = run;
    this.#protocol = protocol;
    this.#scenario = scenario;
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
      case "postpone":
        return this.#postpone();
      case "gather":
        return this.#gather();
      case "claim":
        return [this.#claim()];
      case "intend":
        return this.#intend();
      case "intendUnknown":
      case "commitUnknown":
        return [this.#afterUnknown(this.#run.phase === "intendUnknown" ? "intend" : "commit")];
      case "check":
        return [this.#check()];
      case "write":
        return this.#write();
      case "tell":
        return [this.#tell()];
      case "index":
      case "indexLate":
        return [this.#index()];
      case "commit":
        return this.#commit();
      case "empty":
        return this.#empty();
      case "emptyUnknown":
        return [this.#emptyUnknown()];
      case "release":
        return [this.#release()];
      case "dropIndex":
        return [this.#to({ phase: "last" }, { ...this.#world, indexMs: undefined })];
      case "last":
        return this.#last();
      case "lastUnknown":
        return [this.#lastUnknown()];
      case "remove":
        return this.#remove();
      case "outboxSend":
        return this.#sending(this.#run.row?.outbox, (world) => this.#to({ phase: "outboxMark" }, world));
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

  /** A send, and what may become of it: done, or the broker takes nothing and the message comes again. */
  #sending(outgoing: Outgoing | undefined, onDone: (world: World) => World): readonly World[] {
    const { abandonsUnsent } = this.#protocol;
    const usual = onDone(outgoing === undefined ? this.#world : send(this.#world, this.#protocol, outgoing));
    const spent = outgoing === undefined ? undefined : spend(this.#world, "broker");
    if (spent === undefined) return [usual];
    return [usual, abandonsUnsent ? abandon(spent, this.#worker) : onDone(spent)];
  }

  /** What comes of a call of the table: its outcomes, or no answer at all. */
  #silent(outcomes: readonly World[]): readonly World[] {
    const spent = spend(this.#world, "silent");
    return spent === undefined ? outcomes : [...outcomes, this.#to({ phase: "postpone" }, spent)];
  }

  #postpone(): readonly World[] {
    const { item } = this.#run;
    const { nowMs } = this.#world;
    if (item.cause === "resync" || this.#protocol.whenSilent === "complete") return [this.#complete()];
    return this.#sending(again(item, nowMs, nowMs), (world) => this.#complete(world));
  }

  #complete(world: World = this.#world): World {
    const { messages, workers } = world;
    return {
      ...world,
      messages: messages.filter(({ lockedBy }) => lockedBy !== this.#worker),
      workers: workers.map((one, at) => (at === this.#worker ? undefined : one)),
    };
  }

  #judge(): readonly World[] {
    const judged = [0, ...(this.#scenario.skewMs > 0 ? [this.#scenario.skewMs] : [])].map((skewMs) => {
      const { row, nowMs, etag } = this.#world;
      const name = `n${String(this.#world.names).padStart(3, "0")}`;
      const call = { row, item: this.#run.item, nowMs: nowMs - skewMs, nonce: name, incarnation: `${name}i` };
      const verdict = this.#protocol.judge(call);
      // Between judging and ending nothing happens that anybody could see.
      if (verdict.kind === "end") return this.#complete();
      if (verdict.kind !== "flush") mustBelong(this.#run.item, row);
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
    return this.#silent(judged);
  }

  #sendVerdict(phase: "flushMark" | "complete"): readonly World[] {
    const { verdict } = this.#run;
    const outgoing = verdict?.kind === "flush" || verdict?.kind === "reschedule" ? verdict.outgoing : undefined;
    return this.#sending(outgoing, (world) => this.#to({ phase }, world));
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
    return this.#sending(wake, (world) =>
      flag ? this.#to({ phase: "deferFlag" }, world) : this.#to({ phase: "complete" }, this.#heard(world)),
    );
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
    return this.#run.item.paused || this.#run.item.deleting ? { ...world, pauseHeard: true } : world;
  }

  #take(): readonly World[] {
    const { verdict, etag, nonce } = this.#run;
    if (verdict?.kind !== "run") throw new Violation("takes a lease without a verdict");
    const { row } = this.#world;
    const fits = verdict.insert
      ? row === undefined
      : row !== undefined && (!this.#protocol.fenced.take || etag === this.#world.etag);
    const taking = write(this.#world, {
      fits,
      done: (world) => withRow({ ...world, pauseHeard: false }, verdict.row),
      onDone: (world) => {
        mustBringNews(this.#world, this.#run.item, row);
        return this.#taken(world);
      },
      onRace: (world) => this.#to({ phase: "takeUnknown" }, world),
      onUnknown: (world) =>
        this.#protocol.readsAfterUnknown ? this.#to({ phase: "takeUnknown", nonce }, world) : this.#taken(world),
    });
    return this.#silent(taking);
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
        failed: "no",
        unanswered: false,
        wants: 0,
      },
      world,
    );
  }

  #takeUnknown(): readonly World[] {
    return [isHeldBy(this.#world.row, this.#run.nonce) ? this.#taken(this.#world) : this.#to({ phase: "judge" })];
  }

  #gather(): readonly World[] {
    const usual = this.#world.object === "gone" ? this.#goneVerdict(this.#world) : this.#read();
    const outcomes = (["outage", "defect"] as const).flatMap((fault) => {
      const spent = spend(this.#world, fault);
      const failed = fault === "outage" ? "surroundings" : "defect";
      return spent === undefined ? [] : [this.#ended({ failed }, spent)];
    });
    const flickers = this.#world.object === "gone" ? undefined : spend(this.#world, "flicker");
    return [usual, ...outcomes, ...(flickers === undefined ? [] : [this.#goneVerdict(flickers)])];
  }

  /** The API server says that the object does not exist. */
  #goneVerdict(world: World): World {
    const { ledger, nowMs } = world;
    const { row, skewMs } = this.#run;
    if (row === undefined) throw new Violation("gathers without a row");
    const ledgerEmpty = ledger === undefined || (ledger.applied === 0 && ledger.intent === 0);
    const verdict = this.#protocol.gone({ row, nowMs: nowMs - skewMs, ledgerEmpty });
    return verdict.kind === "remove"
      ? this.#to({ phase: "empty", failed: "gone" }, world)
      : this.#ended({ failed: "gone", goneSinceMs: verdict.outcome.sinceMs }, world);
  }

  #read(): World {
    const { ledger, uid, generation, paused, azure, object, finalizer } = this.#world;
    const { row, takenOver } = this.#run;
    const leaving = object === "deleting";
    const read = { uid, generation, inputs: inputsIn(this.#world), paused };
    if (leaving && !finalizer) return this.#to({ ...read, phase: "empty" });
    const facts = { takenOver, ledger, observe: row?.why.observe === true };
    const observed = !paused && (leaving || this.#protocol.observes(facts));
    const known = observed || ledger === undefined ? azure : ledger.applied;
    const wants = leaving ? 0 : generation;
    const seen = { ...read, known, observed, wants };
    if (paused) return this.#ended(seen);
    if (leaving && known === 0)
      return this.#to({ ...seen, phase: this.#protocol.leaves === "releaseFirst" ? "release" : "empty" });
    if (!leaving && !finalizer && this.#protocol.claimsFirst) return this.#to({ ...seen, phase: "claim" });
    return this.#planned(seen);
  }

  #planned(seen: Pick<Run, "known" | "wants"> & Partial<Run>, world: World = this.#world): World {
    if (seen.known === seen.wants) return this.#ended(seen, world);
    return this.#to({ ...seen, phase: this.#protocol.intendsFirst ? "intend" : "check" }, world);
  }

  /** Only an object that is there and not going takes a finalizer. */
  #claim(): World {
    const { object, uid } = this.#world;
    if (object !== "present" || uid !== this.#run.uid) return this.#ended({ failed: "surroundings" });
    return this.#planned(this.#run, { ...this.#world, finalizer: true });
  }

  #fitsRow(): boolean {
    const { row, etag } = this.#world;
    return row !== undefined && (!this.#protocol.fenced.commit || this.#run.etag === etag);
  }

  #intend(): readonly World[] {
    const { row, wants, known } = this.#run;
    const onDone = (world: World): World => this.#to({ phase: "check", etag: world.etag }, world);
    const onUnknown = (world: World): World => this.#to({ phase: "intendUnknown" }, world);
    const intent = wants === 0 ? -1 : wants;
    const intending = write(this.#world, {
      fits: this.#fitsRow(),
      done: (world) => withRow({ ...world, ledger: { applied: known, intent } }, row),
      onDone,
      onRace: onUnknown,
      onUnknown: this.#protocol.readsAfterUnknown ? onUnknown : onDone,
    });
    return this.#silent(intending);
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
    const { row, etag, pauseHeard, paused, object } = this.#world;
    switch (this.#protocol.beforeWave(row, this.#run.nonce)) {
      case "goOn":
        if (pauseHeard && (paused || object !== "present") && this.#run.wants !== 0)
          throw new Violation("goes on writing although the pause or deletion was heard");
        return this.#to({ phase: "write", etag, ...(row === undefined ? {} : { row }) });
      case "finish":
        return this.#ended({
          lost: row === undefined,
          leftOver: true,
          etag,
          ...(row === undefined ? {} : { row }),
        });
      case "stop":
        return this.#stopped();
    }
  }

  #write(): readonly World[] {
    const { row, nowMs, losses, ledger } = this.#world;
    const { startMs, nonce, wants } = this.#run;
    if (!this.#protocol.mayCallAzure(nowMs - startMs)) return [this.#ended({ leftOver: true })];
    if (ledger?.intent === 0 && losses === 0) throw new Violation("writes to Azure without an intent");
    mustNotRepeat(this.#world, this.#run);
    const reached = { ...this.#world, azure: wants };
    const wrote = this.#ended({ wrote: true }, reached);
    const spent = spend(this.#world, "noAnswer");
    const unanswered =
      spent === undefined
        ? []
        : [spent, { ...spent, azure: wants }].map((world) => this.#ended({ unanswered: true }, world));
    if (isHeldBy(row, nonce)) return [wrote, ...unanswered];
    if (losses === this.#run.losses) throw new Violation("writes to Azure after its lease was taken over");
    // With the row lost this cannot be told in time; the drift timer sees a write that is not the row's last.
    const timer = drift({ address, uid: this.#world.uid, scheduledMs: nowMs, dueMs: nowMs, nowMs });
    return [send(wrote, this.#protocol, { ...timer, dueMs: nowMs + 300_000 })];
  }

  /** The turn has done what it can: it tells, and commits. */
  #ended(changes: Partial<Run>, world: World = this.#world): World {
    const tells = this.#scenario.tells && this.#run.phase !== "gather";
    return this.#to({ ...changes, phase: tells ? "tell" : this.#beforeCommit() }, world);
  }

  #beforeCommit(): "index" | "commit" {
    return this.#scenario.timerHelps && this.#protocol.indexes === "beforeCommit" ? "index" : "commit";
  }

  #tell(): World {
    const { startMs } = this.#run;
    if (this.#protocol.mayWriteKube(this.#world.nowMs - startMs)) mustHoldLease(this.#world, this.#run);
    return this.#to({ phase: this.#beforeCommit() });
  }

  #index(): World {
    const { row, phase } = this.#run;
    if (phase === "indexLate") return this.#to({ phase: "outboxSend" }, { ...this.#world, indexMs: row?.dueMs ?? 0 });
    return this.#to({ phase: "commit" }, { ...this.#world, indexMs: this.#committed().dueMs });
  }

  #outcome(): TurnOutcome {
    const { failed, uid, generation, inputs, wrote, leftOver, observed, known, wants, unanswered, goneSinceMs } =
      this.#run;
    const { nowMs } = this.#world;
    if (failed === "gone") return { kind: "gone", sinceMs: goneSinceMs };
    if (failed !== "no") return { kind: failed };
    const dueMs = nowMs + (leftOver ? 0 : wrote || unanswered ? pollMs : driftPeriodMs);
    const settled = !leftOver && !unanswered && wants !== 0 && (wrote || known === generation);
    return {
      kind: "turned",
      seen: { uid, generation, inputs },
      dueMs,
      idle: !wrote,
      observed,
      settled: settled || this.#run.paused,
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
    const committed = lost ? this.#protocol.commitAnew(input) : this.#protocol.commit(input);
    mustBeDueLater(input, committed, lost);
    return committed;
  }

  #commit(): readonly World[] {
    const { lost, wrote, wants, observed, known, failed, unanswered, leftOver } = this.#run;
    const row = this.#committed();
    const { ledger, indexMs } = this.#world;
    const answered = !unanswered && !(leftOver && ledger?.intent !== 0);
    // What was deleted stays in the ledger until the end of life.
    const applied = wrote && wants !== 0 ? wants : known;
    const facts = wrote || (observed && answered) ? { applied, intent: 0 } : ledger;
    const onUnknown = (world: World): World => this.#to({ phase: "commitUnknown" }, world);
    const late = this.#protocol.indexes === "afterCommit";
    const onDone = (world: World): World =>
      this.#to({ phase: late ? "indexLate" : "outboxSend", row, etag: world.etag }, world);
    const keepsIndex = this.#scenario.timerHelps;
    const committing = write(
      { ...this.#world, indexMs: keepsIndex ? indexMs : row.dueMs },
      {
        fits: lost ? this.#world.row === undefined : this.#fitsRow(),
        done: (world) =>
          withRow({ ...world, ledger: failed === "no" ? facts : ledger, reborn: world.reborn || lost }, row),
        onDone,
        onRace: lost ? () => this.#stopped() : onUnknown,
        onUnknown: this.#protocol.readsAfterUnknown ? onUnknown : onDone,
      },
    );
    return this.#silent(committing);
  }

  /** The end of an object's life: its rows go under the fence, then its finalizer, the index row, the object row. */
  #empty(): readonly World[] {
    const { row } = this.#run;
    const onUnknown = (world: World): World => this.#to({ phase: "emptyUnknown" }, world);
    const phase = this.#protocol.leaves === "releaseFirst" ? "dropIndex" : "release";
    return write(this.#world, {
      fits: this.#fitsRow(),
      done: (world) => {
        mustNotGiveUp(world);
        if (this.#run.failed === "gone") mustNotOrphan(world);
        return withRow({ ...world, ledger: undefined }, row);
      },
      onDone: (world) => this.#to({ phase, etag: world.etag }, world),
      onRace: onUnknown,
      onUnknown,
    });
  }

  #emptyUnknown(): World {
    const { row, etag } = this.#world;
    if (row === undefined || this.#protocol.beforeWave(row, this.#run.nonce) === "stop") return this.#stopped();
    return this.#to({ phase: "empty", row, etag });
  }

  #release(): World {
    const { nowMs, uid, object, azure, losses } = this.#world;
    const phase = this.#protocol.leaves === "releaseFirst" ? "empty" : "dropIndex";
    if (object !== "deleting" || uid !== this.#run.uid) return this.#to({ phase });
    if (!this.#protocol.mayWriteKube(nowMs - this.#run.startMs)) return this.#ended({ failed: "surroundings" });
    if (azure !== 0 && losses === 0) throw new Violation("lets an object go whose resource still exists");
    return this.#to({ phase }, announceGone({ ...this.#world, finalizer: false }, this.#protocol));
  }

  #last(): readonly World[] {
    const { row } = this.#run;
    if (row === undefined) throw new Violation("removes without a row");
    const onUnknown = (world: World): World => this.#to({ phase: "lastUnknown" }, world);
    return write(this.#world, {
      fits: this.#fitsRow(),
      done: (world) => withRow(world, this.#protocol.lastRow(row)),
      onDone: (world) => this.#to({ phase: "remove", etag: world.etag }, world),
      onRace: onUnknown,
      onUnknown,
    });
  }

  #lastUnknown(): World {
    const { row, etag } = this.#world;
    switch (this.#protocol.afterUnknownRemoval(row, this.#run.nonce)) {
      case "removed":
        return this.#to({ phase: "complete" });
      case "removeAgain":
        return this.#to({ phase: "remove", etag });
      case "stop":
        return this.#stopped();
    }
  }

  #remove(): readonly World[] {
    const fenced = this.#protocol.fenced.remove;
    return write(this.#world, {
      fits: this.#world.row !== undefined && (!fenced || this.#run.etag === this.#world.etag),
      done: (world) => withRow(world, undefined),
      onDone: (world) => this.#to({ phase: "complete" }, world),
      onRace: (world) => this.#to({ phase: "lastUnknown" }, world),
      onUnknown: (world) => this.#to({ phase: "lastUnknown" }, world),
    });
  }
}
