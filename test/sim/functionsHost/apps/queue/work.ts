import { setTimeout as delay } from "node:timers/promises";
import { app, type InvocationContext } from "@azure/functions";

const parse = (message: unknown): { readonly id?: string; readonly failures?: number; readonly waitMs?: number } =>
  typeof message === "object" && message !== null ? message : {};

app.serviceBusQueue("work", {
  connection: "ServiceBusConnection",
  queueName: "%QUEUE%",
  handler: async (message: unknown, context: InvocationContext) => {
    const { id, failures = 0, waitMs = 0 } = parse(message);
    console.log(JSON.stringify({ began: id, input: message, metadata: context.triggerMetadata }));
    if (waitMs > 0) await delay(waitMs);
    if (Number(context.triggerMetadata?.["deliveryCount"]) <= failures) throw new Error(`failed ${id}`);
    console.log(JSON.stringify({ ended: id }));
  },
});
