import type { Kube, Log } from "../ports.ts";
import { backoffMs, isWorthTelling, pause, type Random } from "./delays.ts";

const firstBackoffMs = 100;
const mostBackoffMs = 10_000;

/** The name under which a management cluster is known: the uid of its `kube-system` namespace. Asks until it is told; undefined when aborted. */
export const clusterUid = async (
  kube: Pick<Kube, "get">,
  { random, log, signal }: { readonly random: Random; readonly log: Log; readonly signal: AbortSignal },
): Promise<string | undefined> => {
  for (let failures = 1; !signal.aborted; failures += 1) {
    const answer = await kube.get({ kind: "Namespace", namespace: "", name: "kube-system" });
    if (answer.ok) return answer.value.metadata.uid;
    if (isWorthTelling(failures))
      log("warn", "the API server did not tell the cluster's uid", { code: answer.error.code, failures });
    await pause(backoffMs(failures, firstBackoffMs, mostBackoffMs, random), signal);
  }
  return undefined;
};
