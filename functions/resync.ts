import { app, type InvocationContext, type Timer } from "@azure/functions";
import { resync } from "../src/engine/resync.ts";
import { composed } from "./compose.ts";

const everyMs = 5 * 60_000;

/** The tick that this run stands for: equal in all instances, so that their messages have equal ids. */
const tickOf = (nowMs: number): number => Math.floor(nowMs / everyMs) * everyMs;

/** Every five minutes: objects that are overdue; once an hour: all of them. */
app.timer("resync", {
  schedule: "0 */5 * * * *",
  handler: async (_timer: Timer, _context: InvocationContext): Promise<void> => {
    const { deps } = await composed();
    const reports = await resync(tickOf(Date.now()), deps);
    for (const report of reports)
      deps.log(report.failure === undefined ? "info" : "warn", "resync finished", { ...report });
  },
});
