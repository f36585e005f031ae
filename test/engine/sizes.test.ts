import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newRow } from "../../src/core/chain/chainRow.ts";
import { again, doorbell, drift, followUp, replay, resync, wake } from "../../src/core/chain/messages.ts";
import type { TableFault } from "../../src/sim/memory/memoryTables.ts";
import { ids, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { ready } from "../support/turns.ts";

const addresses = fc.record({
  cluster: fc.uuid(),
  kind: fc.constantFrom("AzureCluster", "AzureMachinePoolMachine", "AzureManagedControlPlane"),
  namespace: fc.stringMatching(/^[a-z0-9]{1,63}$/),
  name: fc.stringMatching(/^[a-z0-9]{1,253}$/),
});

describe("messages", () => {
  it("name an object and why: none is larger than 1 KiB, whatever the names", () => {
    fc.assert(
      fc.property(addresses, fc.uuid(), fc.nat(), fc.nat({ max: 40 }), (address, uid, number, attempt) => {
        const nowMs = Date.UTC(2026, 0, 1) + number;
        const row = {
          ...newRow("0123456789abcdef"),
          uid,
          turn: number,
          lease: { nonce: "fedcba9876543210", endMs: nowMs },
        };
        const news = { uid, generation: number, inputs: "0".repeat(32), paused: true, deleting: true };
        const timed = { address, uid, scheduledMs: nowMs, dueMs: nowMs, nowMs };
        const bell = doorbell({ cause: "dependency", address, news, versions: ["1", "2"], nowMs });
        const all = [
          bell,
          followUp({ address, row, nowMs }),
          wake({ item: bell.item, row, nowMs }),
          again({ ...bell.item, attempt }, nowMs, nowMs),
          resync({ ...timed, listed: true }),
          drift(timed),
          replay({ address, uid, request: uid, nowMs }),
        ];
        for (const { item, messageId } of all) {
          expect(JSON.stringify(item).length).toBeLessThanOrEqual(1_024);
          expect(messageId).toMatch(/^[0-9a-f]{32}$/);
        }
      }),
    );
  });
});

describe("dead letters", () => {
  const faults: readonly {
    readonly when: string;
    readonly table?: TableFault;
    readonly api?: true;
    readonly broker?: true;
  }[] = [
    { when: "the tables do not answer", table: { kind: "down" } },
    { when: "the API server does not answer", api: true },
    { when: "answers of the tables are lost", table: { kind: "answerLost" } },
  ];
  it.each(faults)("are only of messages that killed the process: none after an hour in which $when", async (fault) => {
    const world = await settledCluster();
    const { table, api } = fault;
    if (table !== undefined) world.faults.tables = (call) => (call === "commit" ? table : undefined);
    if (api === true) world.faults.kube = () => ({ kind: "transient", code: "ServerTimeout", message: "no" });
    world.objects.edit(key, (object) => withSource(object, "10.3.0.0/16"));
    await world.run(60 * 60_000);
    // One message is all that an outage keeps.
    const { deadLetter, active, scheduled } = world.queue.reconcile.counts(world.clock.nowMs());
    expect(deadLetter).toBe(0);
    expect(active + scheduled).toBeLessThanOrEqual(2);
    delete world.faults.tables;
    delete world.faults.kube;
    await world.run(30 * 60_000);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(JSON.stringify(world.arm.resources.get(ids.nodeNsg.toLowerCase())?.body)).toContain("10.3.0.0/16");
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
  });
});
