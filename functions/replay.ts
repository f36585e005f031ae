import { app, type HttpRequest, type HttpResponseInit, type InvocationContext } from "@azure/functions";
import { parseReplayRequest } from "../src/core/replayRequest.ts";
import { replay } from "../src/engine/replay.ts";
import { composed } from "./compose.ts";

/**
 * Looks at objects again: by name, or those that parked messages stand for. A dry run unless the body says `dryRun: false`.
 * Admin level locally; in Azure an app role stands before it.
 */
app.http("replay", {
  methods: ["POST"],
  authLevel: "admin",
  route: "replay",
  handler: async (request: HttpRequest, context: InvocationContext): Promise<HttpResponseInit> => {
    const asked = parseReplayRequest(await request.text());
    if (!asked.ok) return { status: 400, jsonBody: { code: asked.error.code, message: asked.error.message } };
    const { deps, parked } = await composed();
    const { dryRun, ...what } = asked.value;
    const done = await replay(what.request, { requestId: context.invocationId, dryRun }, parked, deps);
    if (!done.ok) return { status: 503, jsonBody: { code: done.error.code, message: done.error.message } };
    return { status: 200, jsonBody: { dryRun, messages: done.value } };
  },
});
