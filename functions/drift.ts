import { app, type InvocationContext, type Timer } from "@azure/functions";
import { drift } from "../src/engine/drift.ts";
import { composed } from "./compose.ts";

const everyMs = 10 * 60_000;

/** The tick that this run stands for: equal in all instances, so that their messages have equal ids. */
const tickOf = (nowMs: number): number => Math.floor(nowMs / everyMs) * everyMs;

/** Every ten minutes, between two runs of the resync: what others changed in Azure. */
app.timer("drift", {
  schedule: "0 2-59/10 * * * *",
  handler: async (_timer: Timer, _context: InvocationContext): Promise<void> => {
    const { deps } = await composed();
    const reports = await drift(tickOf(Date.now()), deps);
    for (const report of reports)
      deps.log(report.failure === undefined ? "info" : "warn", "drift finished", { ...report });
  },
});
