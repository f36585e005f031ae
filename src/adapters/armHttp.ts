import { randomUUID } from "node:crypto";
import type { HttpClient, PipelineResponse } from "@azure/core-rest-pipeline";
import { refusalOf, remainingOf, retryAfterIn } from "../core/armLimits.ts";
import { limits } from "../core/chain/limits.ts";
import type { Failure, Json, Remaining, Result } from "../core/types.ts";
import type { ArmRequest, Log } from "../ports.ts";
import type { ArmToken } from "./armToken.ts";
import { trustedUrl, withoutQuery } from "./armUrl.ts";
import type { Cloud } from "./clouds.ts";
import { parseJson } from "./parseJson.ts";

export interface ArmHttpRequest extends Pick<ArmRequest, "method" | "body" | "ifMatch" | "ifNoneMatch"> {
  readonly url: string;
}

/** An answer below 300. */
export interface ArmHttpAnswer {
  readonly status: number;
  /** Null when there was none. */
  readonly body: Json;
  readonly correlationId: string;
  /** Azure's own id of the request. */
  readonly requestId?: string;
  readonly remaining?: Remaining;
  header(name: string): string | undefined;
  /** Of the headers that say when to come back, if any does. */
  readonly retryAfter: { readonly retryAfter?: string; readonly nowMs: number };
}

export interface ArmHttpOptions {
  readonly cloud: Cloud;
  readonly token: ArmToken;
  /** For instance `capstan/1.2.0`. */
  readonly userAgent: string;
  readonly log: Log;
  /** Default: Node's own https. */
  readonly transport?: HttpClient;
  /** For the token and the answer together, in ms. Default: `limits.azureRequestMs`. */
  readonly limitMs?: number;
}

/** One request to Resource Manager and its answer. */
export interface ArmHttp {
  readonly cloud: Cloud;
  send(request: ArmHttpRequest): Promise<Result<ArmHttpAnswer>>;
}

const failed = (error: Failure): Result<never> => ({ ok: false, error });

/** No status: the engine takes that as "it may have happened". */
const noAnswer = (error: unknown): Failure => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  const word = code ?? (error instanceof Error ? error.name : "unknown");
  return { kind: "transient", code: "NoAnswer", message: `no answer from Azure (${word})` };
};

const headersOf = (request: ArmHttpRequest, token: string, correlationId: string): Record<string, string> => ({
  accept: "application/json",
  authorization: `Bearer ${token}`,
  "x-ms-correlation-request-id": correlationId,
  "x-ms-client-request-id": correlationId,
  ...(request.body !== undefined && { "content-type": "application/json" }),
  ...(request.ifMatch !== undefined && { "if-match": request.ifMatch }),
  ...(request.ifNoneMatch !== undefined && { "if-none-match": request.ifNoneMatch }),
});

/** Somebody in front of Resource Manager does not know whether a resource exists: his page is no answer about one. */
const tellsOfAbsence = (status: number): boolean => status === 404 || status === 410;

const unreadable = (status: number): Failure => ({
  kind: "transient",
  code: "UnreadableAnswer",
  message: `Azure answered ${status} without JSON`,
});

const answerOf = (response: PipelineResponse, ownId: string, cloud: Cloud): Result<ArmHttpAnswer> => {
  const header = (name: string): string | undefined => response.headers.get(name);
  const nowMs = Date.parse(header("date") ?? "") || Date.now();
  const after = retryAfterIn(header);
  const retryAfter = { nowMs, ...(after !== undefined && { retryAfter: after }) };
  const text = response.bodyAsText ?? "";
  const body = text === "" ? null : parseJson(text);
  const { status } = response;
  if (status >= 300 && status < 400) return failed(redirected(cloud, status, header("location")));
  if (body === undefined && (status < 300 || tellsOfAbsence(status))) return failed(unreadable(status));
  if (status >= 400 || body === undefined) return failed(refusalOf(status, body, header, nowMs));
  const correlationId = header("x-ms-correlation-request-id") ?? ownId;
  const [requestId, remaining] = [header("x-ms-request-id"), remainingOf(header)];
  const told = { ...(requestId !== undefined && { requestId }), ...(remaining !== undefined && { remaining }) };
  return { ok: true, value: { status, body, correlationId, header, retryAfter, ...told } };
};

/** Resource Manager does not redirect; whoever does so in its name gets no token. */
const redirected = (cloud: Cloud, status: number, location: string | undefined): Failure => {
  const link = trustedUrl(cloud, location ?? "");
  if (!link.ok) return { ...link.error, status };
  return {
    kind: "transient",
    code: "Redirected",
    message: "Azure redirected the request; it was not followed",
    status,
  };
};

interface Sending {
  readonly bearer: string;
  readonly correlationId: string;
  readonly cut: AbortSignal;
}
type Exchange = (request: ArmHttpRequest, sending: Sending) => Promise<Result<ArmHttpAnswer>>;

/** No policy of the pipeline retries, redirects or adds a token. */
const openExchange = async ({ cloud, userAgent, transport }: ArmHttpOptions): Promise<Exchange> => {
  const rest = await import("@azure/core-rest-pipeline");
  const client = transport ?? rest.createDefaultHttpClient();
  const pipeline = rest.createEmptyPipeline();
  pipeline.addPolicy(rest.userAgentPolicy({ userAgentPrefix: userAgent }));
  pipeline.addPolicy(rest.decompressResponsePolicy());
  return async (request, { bearer, correlationId, cut }) => {
    const sent = rest.createPipelineRequest({
      url: request.url,
      method: request.method,
      headers: rest.createHttpHeaders(headersOf(request, bearer, correlationId)),
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
      abortSignal: cut,
    });
    try {
      return answerOf(await pipeline.sendRequest(client, sent), correlationId, cloud);
    } catch (error) {
      return failed(noAnswer(error));
    }
  };
};

/**
 * Sends exactly one HTTP request a call: no retries, no redirects, cut after `limitMs`, the wait for a token
 * included. Failures are
 * Azure's own refusals by `refusalOf`, those of the token, `UntrustedUrl`, and `NoAnswer`.
 */
export const openArmHttp = async (options: ArmHttpOptions): Promise<ArmHttp> => {
  const { cloud, token, log, limitMs = limits.azureRequestMs } = options;
  const exchange = await openExchange(options);
  return {
    cloud,
    send: async (request) => {
      // The one place where a token meets a URL.
      const url = trustedUrl(cloud, request.url);
      if (!url.ok) return url;
      // One limit for both, so that what was begun in time ends before the lease does.
      const cut = AbortSignal.timeout(limitMs);
      const bearer = await token.get(cut);
      if (!bearer.ok) return bearer;
      const correlationId = randomUUID();
      const answer = await exchange({ ...request, url: url.value }, { bearer: bearer.value, correlationId, cut });
      if (!answer.ok && answer.error.status === 401) token.drop();
      log("debug", "azure request", {
        method: request.method,
        url: withoutQuery(url.value),
        status: answer.ok ? answer.value.status : answer.error.status,
        code: answer.ok ? undefined : answer.error.code,
        correlationId,
      });
      return answer;
    },
  };
};
