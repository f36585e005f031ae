const { app } = require("@azure/functions");

app.hook.appTerminate(() => console.log("terminated"));
app.hook.preInvocation((context) => {
  context.inputs = [...context.inputs];
});
app.get("hello", {
  authLevel: "anonymous",
  handler: async (request) => ({ body: `hello ${request.query.get("name")}` }),
});
app.get("empty", { authLevel: "anonymous", handler: async () => undefined });
