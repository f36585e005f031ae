import { app, type HttpRequest, type HttpResponseInit, type InvocationContext } from "@azure/functions";
import { cutText } from "../src/core/cutText.ts";
import { parseReplayRequest } from "../src/core/replayRequest.ts";
import { replay } from "../src/engine/replay.ts";
import { composed } from "./compose.ts";

/** Set by App Service authentication, which takes it off whatever comes from outside. https://learn.microsoft.com/azure/app-service/configure-authentication-user-identities */
const principalHeader = "x-ms-client-principal-name";

const requesterOf = ({ headers }: HttpRequest): string => cutText(headers.get(principalHeader) || "function key", 256);

/**
 * Looks at objects again: by name, or those that parked messages stand for, by reason or age. A dry run unless the body
 * says `dryRun: false`, and then why. Admin level locally; in Azure an app role stands before it.
 */
app.http("replay", {
  methods: ["POST"],
  authLevel: "admin",
  route: "replay",
  handler: async (request: HttpRequest, context: InvocationContext): Promise<HttpResponseInit> => {
    const asked = parseReplayRequest(await request.text());
    if (!asked.ok) return { status: 400, jsonBody: { code: asked.error.code, message: asked.error.message } };
    const { deps, parked } = await composed();
    const asker = { requester: requesterOf(request), requestId: asked.value.requestId ?? context.invocationId };
    const done = await replay({ ...asked.value, ...asker }, parked, deps);
    if (done.ok) return { status: 200, jsonBody: { dryRun: asked.value.dryRun, messages: done.value } };
    const { kind, code, message } = done.error;
    return { status: kind === "badConfiguration" ? 400 : 503, jsonBody: { code, message } };
  },
});
