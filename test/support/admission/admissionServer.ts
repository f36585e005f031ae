import { apply } from "json-merge-patch";
import { apiVersionOf, kindEntry } from "../../../src/api/registry.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import type { ApiClient } from "../../../src/sim/controlPlane/apiClient.ts";

/** What the API server says to an object: the causes of its refusal, or none. */
export interface Verdict {
  readonly status: number;
  readonly causes: readonly { readonly field: string; readonly message: string }[];
}

interface Status {
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string; readonly message?: string }[] };
}

const verdictOf = ({ status, body }: { readonly status: number; readonly body: string }): Verdict => {
  if (status < 300) return { status, causes: [] };
  const { message = "", details } = JSON.parse(body) as Status;
  const causes = (details?.causes ?? []).map((cause) => ({ field: cause.field ?? "", message: cause.message ?? "" }));
  // A policy's refusal has no field of its own; our policies put it before their message.
  const [, field = "", rest = message] = /denied request: ([\w.[\]]+): (.*)$/s.exec(message) ?? [];
  return { status, causes: causes.some((cause) => cause.field !== "") ? causes : [{ field, message: rest }] };
};

/** The object with a merge patch (RFC 7386) laid over it. The library writes into what it is given. */
export const patched = (object: JsonObject, patch: JsonObject): JsonObject =>
  apply(structuredClone(object), patch) as JsonObject;

/** Objects of one kind in one namespace of a real API server, as a user sends them. */
export interface AdmissionServer {
  /** What a creation would be answered; nothing is stored. */
  judge(object: JsonObject): Promise<Verdict>;
  /**
   * What an update by merge patch would be answered, of an object that is stored for the purpose and removed again. A
   * status is written as a provider does, through its subresource.
   */
  judgeUpdate(before: JsonObject, patch: JsonObject): Promise<Verdict>;
}

export const admissionServer = (api: ApiClient, kind: string, namespace: string): AdmissionServer => {
  const entry = kindEntry(kind);
  if (entry === undefined) throw new Error(`no kind ${kind}`);
  const collection = `/apis/${apiVersionOf(entry)}/namespaces/${namespace}/${entry.plural}`;
  const whole = (object: JsonObject): string => JSON.stringify({ apiVersion: apiVersionOf(entry), kind, ...object });
  const create = (object: JsonObject, query = ""): Promise<Verdict> =>
    api
      .send({ method: "POST", path: `${collection}${query}`, contentType: "application/json", body: whole(object) })
      .then(verdictOf);
  const update = (path: string, patch: JsonObject): Promise<Verdict> =>
    api
      .send({ method: "PATCH", path, contentType: "application/merge-patch+json", body: JSON.stringify(patch) })
      .then(verdictOf);
  const made = async (verdict: Promise<Verdict>): Promise<void> => {
    const { status, causes } = await verdict;
    if (status >= 300) throw new Error(`the object to update is refused: ${JSON.stringify(causes)}`);
  };
  return {
    judge: (object) => create(object, "?dryRun=All"),
    judgeUpdate: async (before, patch) => {
      await made(create(before));
      const path = `${collection}/${(before["metadata"] as { readonly name: string }).name}`;
      try {
        const { status } = before;
        if (status !== undefined) await made(update(`${path}/status`, { status }));
        return await update(`${path}?dryRun=All`, patch);
      } finally {
        await api.send({ method: "DELETE", path });
      }
    },
  };
};
