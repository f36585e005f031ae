import { setTimeout as delay } from "node:timers/promises";
import { app, type HttpRequest, type InvocationContext } from "@azure/functions";

app.http("things", {
  route: "things/{id:int?}",
  methods: ["GET", "POST"],
  authLevel: "anonymous",
  handler: async (request: HttpRequest, context: InvocationContext) => {
    context.log("looked at", request.params["id"] ?? "all");
    const body = request.method === "POST" ? await request.text() : undefined;
    return {
      status: 201,
      headers: { "x-agent": request.headers.get("user-agent") ?? "" },
      jsonBody: { id: request.params["id"], q: request.query.get("q"), body },
    };
  },
});
app.http("special", {
  route: "things/special",
  methods: ["GET"],
  authLevel: "anonymous",
  handler: async () => ({ body: "special" }),
});
app.http("rest", {
  route: "files/{*path}",
  methods: ["GET"],
  authLevel: "anonymous",
  handler: async (request: HttpRequest) => ({ body: request.params["path"] ?? "none" }),
});
app.http("keyed", { methods: ["GET"], authLevel: "function", handler: async () => ({ body: "keyed" }) });
app.http("locked", { methods: ["GET"], authLevel: "admin", handler: async () => ({ body: "locked" }) });
app.http("broken", {
  methods: ["GET"],
  authLevel: "anonymous",
  handler: async () => {
    throw new Error("this went wrong");
  },
});
app.http("floating", {
  methods: ["GET"],
  authLevel: "anonymous",
  handler: async () => {
    void delay(1).then(() => {
      throw new Error("nobody waits for me");
    });
    return { body: "soon dead" };
  },
});
app.http("endless", {
  methods: ["GET"],
  authLevel: "anonymous",
  handler: async () => {
    await delay(60_000);
    return { body: "too late" };
  },
});
app.http("slow", {
  methods: ["GET"],
  authLevel: "anonymous",
  handler: async (_request: HttpRequest, context: InvocationContext) => {
    context.log("slow started");
    await delay(300);
    return { body: "done" };
  },
});
