/** What host and library exchange for one invocation: the part of the worker protocol in use here
 * (https://github.com/Azure/azure-functions-language-worker-protobuf). */

export interface TypedData {
  readonly string?: string;
  readonly json?: string;
  readonly bytes?: Uint8Array;
  readonly int?: number;
  readonly double?: number;
  readonly http?: HttpRequestData | HttpResponseData;
}

export interface NullableString {
  readonly value: string;
}

export interface HttpRequestData {
  readonly method: string;
  readonly url: string;
  readonly nullableHeaders: Readonly<Record<string, NullableString>>;
  readonly nullableQuery: Readonly<Record<string, NullableString>>;
  readonly nullableParams: Readonly<Record<string, NullableString>>;
  readonly body?: TypedData;
}

export interface HttpResponseData {
  readonly statusCode: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly unknown[];
  readonly body?: TypedData | null;
}

/** The input of one invocation, as the host sends it. */
export interface InvocationRequest {
  readonly invocationId: string;
  readonly inputData: readonly { readonly name: string; readonly data: TypedData }[];
  readonly triggerMetadata: Readonly<Record<string, TypedData>>;
}

/** The answer to one invocation, as the library returns it. */
export interface InvocationResponse {
  readonly returnValue?: TypedData | null;
  readonly outputData?: readonly { readonly name: string; readonly data: TypedData }[];
}

export type LogLevel = "trace" | "debug" | "information" | "warning" | "error" | "critical";

/** One binding of a function, as its options were given, with its name. */
export interface Binding {
  readonly name: string;
  readonly type: string;
  readonly direction: string;
  readonly [option: string]: unknown;
}

export type FunctionCallback = (...inputs: unknown[]) => unknown;

/** What the library registers for a function. */
export interface FunctionMetadata {
  readonly name: string;
  readonly bindings: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What the library asks of an invocation, and keeps while it runs. */
export interface CoreInvocation {
  readonly invocationId: string;
  readonly request: InvocationRequest & { readonly functionId: string };
  readonly metadata: FunctionMetadata;
  state: "preInvocationHooks" | "invocation" | "postInvocationHooks" | undefined;
  readonly log: (level: LogLevel, category: string, message: string) => void;
}

/** Implemented by the library for one invocation. */
interface InvocationModel {
  getArguments(): Promise<{ readonly context: unknown; readonly inputs: readonly unknown[] }>;
  invokeFunction(context: unknown, inputs: readonly unknown[], callback: FunctionCallback): Promise<unknown>;
  getResponse(context: unknown, result: unknown): Promise<InvocationResponse>;
}

/** Implemented by the library, once. */
export interface ProgrammingModel {
  getInvocationModel(invocation: CoreInvocation): InvocationModel;
  getCapabilities?(capabilities: object): Promise<object>;
}
