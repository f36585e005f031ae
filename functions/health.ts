import { app } from "@azure/functions";

/** Answers that the process runs; says nothing about what it serves, since anybody may ask. */
app.http("health", {
  methods: ["GET"],
  authLevel: "anonymous",
  route: "health",
  handler: () => ({ status: 200, jsonBody: { status: "ok" } }),
});
