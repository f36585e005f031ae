import type { IncomingMessage, ServerResponse } from "node:http";
import type { HttpRequestData, HttpResponseData, NullableString, TypedData } from "./rpc.ts";

/** Largest request body that is accepted. */
const maxBodyBytes = 16 * 1024 * 1024;

/** The whole body of a request, or undefined when it is too large. */
export const readBody = async (request: IncomingMessage): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size <= maxBodyBytes) chunks.push(bytes);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks);
};

const nullable = (entries: Iterable<readonly [string, string]>): Readonly<Record<string, NullableString>> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, { value }]));

/** The request as the library expects it. */
export const toHttpData = (
  request: IncomingMessage,
  url: URL,
  params: Readonly<Record<string, string>>,
  body: Buffer,
): TypedData => {
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")] as const,
  );
  const data: HttpRequestData = {
    method: request.method ?? "GET",
    url: url.href,
    nullableHeaders: nullable(headers),
    nullableQuery: nullable(url.searchParams),
    nullableParams: nullable(Object.entries(params)),
    ...(body.length > 0 && { body: { bytes: body } }),
  };
  return { http: data };
};

const bytesOf = (data: TypedData | null | undefined): Uint8Array | string => data?.bytes ?? data?.string ?? "";

/** Writes a function's response; a function that returns nothing answers 204, as in Azure. */
export const writeResponse = (response: ServerResponse, returned: TypedData | null | undefined): void => {
  const http = returned?.http as HttpResponseData | undefined;
  if (http === undefined) {
    response.writeHead(204).end();
    return;
  }
  if ((http.cookies ?? []).length > 0) throw new Error("This host does not support cookies");
  response.writeHead(Number(http.statusCode), { ...http.headers }).end(bytesOf(http.body));
};

export const writeJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
};
