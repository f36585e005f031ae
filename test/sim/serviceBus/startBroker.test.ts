import { rm } from "node:fs/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { BrokerClock } from "../../../src/sim/serviceBus/clock.ts";
import { startBroker } from "../../../src/sim/serviceBus/startBroker.ts";
import { next, outcomes, rawClient } from "./amqp/rawClient.ts";
import { tempFolder } from "./journal/tempFolder.ts";

const scheduledTime = "x-opt-scheduled-enqueue-time";

describe("startBroker", () => {
  it("lives on the clock it is given", async () => {
    const timers = new Set<{ readonly atMs: number; readonly call: () => void }>();
    let nowMs = 1_000_000;
    const clock: BrokerClock = {
      nowMs: () => nowMs,
      after: (delayMs, call) => {
        const timer = { atMs: nowMs + delayMs, call };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    };
    const broker = await startBroker({ queues: [{ name: "q" }], clock });
    onTestFinished(() => broker.stop());
    const client = rawClient(broker.port);
    const sender = client.open_sender("q");
    await next(sender, "sendable");
    const hourLater = new Date(nowMs + 3_600_000);
    await outcomes(sender, [sender.send({ body: "hour later", message_annotations: { [scheduledTime]: hourLater } })]);
    const receiver = client.open_receiver({ source: "q", credit_window: 1 });
    await next(receiver, "receiver_open");
    expect(broker.counts("q")).toMatchObject({ active: 0, scheduled: 1 });
    nowMs = hourLater.getTime();
    for (const timer of timers) if (timer.atMs <= nowMs && timers.delete(timer)) timer.call();
    expect((await next(receiver, "message")).message?.body).toBe("hour later");
  });

  it("stops, tells and acknowledges nothing more when its journal cannot be written", async () => {
    const journalDir = await tempFolder();
    const onFailure = vi.fn<(error: Error) => void>();
    const broker = await startBroker({ queues: [{ name: "q" }], journalDir, compactFromBytes: 1000, onFailure });
    onTestFinished(() => broker.stop());
    const client = rawClient(broker.port);
    const closed = next(client, "connection_close");
    const sender = client.open_sender("q");
    await next(sender, "sendable");
    await rm(journalDir, { recursive: true });
    const receiver = client.open_receiver({ source: "q", snd_settle_mode: 1 });
    receiver.on("message", () => sender.send({ body: "again" }));
    sender.send({ body: "x".repeat(1000) });
    await closed;
    await vi.waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
    await expect(fetch(`http://127.0.0.1:${broker.port}/`)).rejects.toThrow("fetch failed");
  });

  it.each([
    { when: "two queues have one name", queues: [{ name: "a" }, { name: "A" }], says: "listed twice" },
    { when: "a queue makes no sense", queues: [{ name: "" }], says: "not a valid queue name" },
  ])("refuses to start when $when", async ({ queues, says }) => expect(startBroker({ queues })).rejects.toThrow(says));
});
