import { app, type InvocationContext } from "@azure/functions";
import { handle } from "../src/engine/handle.ts";
import { composed } from "./compose.ts";

/** One message of the queue, one turn of one object. Returning completes the message, throwing has it delivered again. */
app.serviceBusQueue("reconcile", {
  connection: "ServiceBusConnection",
  queueName: "%CAPSTAN_QUEUE%",
  handler: async (body: unknown, context: InvocationContext): Promise<void> => {
    const { deps } = await composed();
    const { messageId } = context.triggerMetadata ?? {};
    await handle({ body, messageId: typeof messageId === "string" ? messageId : context.invocationId }, deps);
  },
});
