import type { FunctionsCore, RegisteredFunction } from "./functionsCore.ts";
import type { LoadedApp } from "./loadApp.ts";
import type { CoreInvocation, FunctionCallback, InvocationRequest, InvocationResponse } from "./rpc.ts";

interface HookContext {
  readonly hookData: object;
  readonly appHookData: object;
  readonly invocationContext: unknown;
}
interface PreInvocation extends HookContext {
  functionCallback: FunctionCallback;
  inputs: readonly unknown[];
}
interface PostInvocation extends HookContext {
  readonly inputs: readonly unknown[];
  result: unknown;
  error: unknown;
}

/** Runs one invocation with its hooks, in the worker's order; rejects with what the handler threw. */
export const invoke = async (
  core: FunctionsCore,
  app: LoadedApp,
  fn: RegisteredFunction,
  request: InvocationRequest,
  log: CoreInvocation["log"],
): Promise<InvocationResponse> => {
  const invocation: CoreInvocation = {
    invocationId: request.invocationId,
    request: { ...request, functionId: fn.name },
    metadata: fn.metadata,
    state: undefined,
    log,
  };
  const model = app.model.getInvocationModel(invocation);
  const { context, inputs } = await model.getArguments();
  const shared: HookContext = { hookData: {}, appHookData: {}, invocationContext: context };

  invocation.state = "preInvocationHooks";
  const before: PreInvocation = { ...shared, functionCallback: fn.callback, inputs };
  for (const hook of core.hooks("preInvocation")) await hook(before);

  invocation.state = "invocation";
  const after: PostInvocation = { ...shared, inputs: before.inputs, result: null, error: null };
  try {
    after.result = await model.invokeFunction(context, before.inputs, before.functionCallback);
  } catch (error) {
    after.error = error ?? new Error("The handler threw nothing");
  }

  invocation.state = "postInvocationHooks";
  for (const hook of core.hooks("postInvocation")) await hook(after);
  invocation.state = undefined;
  if (after.error !== null) throw after.error;
  return model.getResponse(context, after.result);
};
