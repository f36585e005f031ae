import { app, type InvocationContext, type Timer } from "@azure/functions";

app.timer("tick", {
  schedule: "%TICK_SCHEDULE%",
  handler: async (timer: Timer, context: InvocationContext) => {
    context.log(`tick, past due: ${timer.isPastDue}, next: ${timer.scheduleStatus?.next}`);
  },
});
