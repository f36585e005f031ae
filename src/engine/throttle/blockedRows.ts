import type { Deps } from "../deps.ts";
import type { Verb } from "./bucket.ts";
import { type BucketName, bucketText } from "./throttle.ts";

/**
 * What Azure told one instance, for the others: table `shared`, a partition for each subscription and identity, a row for
 * each bucket that is blocked, until when. Losing it costs retries only.
 */
const partitionOf = ({ subscription, identity }: Pick<BucketName, "subscription" | "identity">): string =>
  `blocked~${subscription}~${identity}`.toLowerCase();

const verbs: ReadonlySet<string> = new Set<Verb>(["reads", "writes", "deletes"]);
const isVerb = (text: unknown): text is Verb => typeof text === "string" && verbs.has(text);

/** Takes over what other instances were told, at most once in a while; a table that does not answer is no hindrance. */
export const lookAround = async (
  place: Pick<BucketName, "subscription" | "identity">,
  nowMs: number,
  { tables, throttle, log }: Pick<Deps, "tables" | "throttle" | "log">,
): Promise<void> => {
  const partition = partitionOf(place);
  if (!throttle.looksAround(partition, nowMs)) return;
  const rows = await tables.list("shared", partition);
  if (!rows.ok) return log("debug", "shared limits not read", { code: rows.error.code });
  for (const { values } of rows.value) {
    const { verb, provider, untilMs } = values;
    if (!isVerb(verb) || typeof untilMs !== "number" || untilMs <= nowMs) continue;
    throttle.block({ ...place, verb, ...(typeof provider === "string" && provider !== "" && { provider }) }, untilMs);
  }
};

/** Tells the other instances; best effort. */
export const shareBlock = async (
  name: BucketName,
  untilMs: number,
  { tables, log }: Pick<Deps, "tables" | "log">,
): Promise<void> => {
  const values = { verb: name.verb, provider: name.provider ?? "", untilMs };
  const told = await tables.commit("shared", partitionOf(name), [{ kind: "upsert", row: bucketText(name), values }]);
  if (!told.ok) log("debug", "shared limit not written", { code: told.error.code });
};
