import type { TableRow } from "../../ports.ts";
import { UserError } from "../userError.ts";
import { type ClusterOptions, clusterUidOf } from "./cluster.ts";
import { columns } from "./columns.ts";
import { asData, type Output } from "./history.ts";
import { type Env, settingsOf } from "./settings.ts";
import { openStore } from "./store.ts";

export interface OrphansOptions extends ClusterOptions {
  readonly output?: Output;
  readonly settings?: string;
}

/** A resource whose object has vanished. */
interface Orphan {
  readonly object: string;
  readonly id: string;
  readonly service: string;
  readonly since: string;
  /** Its object was on the way to another management cluster, which has it now. */
  readonly moved: boolean;
}

const orphanOf = ({ values }: TableRow): Orphan => ({
  object: `${String(values["kind"])} ${String(values["namespace"])}/${String(values["name"])}`,
  id: String(values["id"]),
  service: String(values["service"]),
  since: new Date(Number(values["sinceMs"] ?? 0)).toISOString(),
  moved: values["moved"] === true,
});

const table = (orphans: readonly Orphan[]): readonly string[] =>
  columns(
    ["OBJECT", "SERVICE", "SINCE", "ID"],
    orphans.map(({ object, service, since, id }) => [object, service, since.replace(/\.\d+/, ""), id]),
  );

const section = (heading: string, orphans: readonly Orphan[]): readonly string[] =>
  orphans.length === 0 ? [] : [heading, ...table(orphans), ""];

/** Prints the resources that vanished objects left in Azure; those of moved objects apart. */
export const orphans = async (options: OrphansOptions, env: Env, print: (line: string) => void): Promise<number> => {
  const settings = settingsOf(options.settings, env);
  const store = await openStore(settings);
  const cluster = await clusterUidOf(options, settings);
  const listed = await store.list("orphans", cluster);
  if (!listed.ok) throw new UserError(`the tables cannot be read: ${listed.error.message}`);
  const all = listed.value.map(orphanOf).toSorted((one, other) => (one.since < other.since ? -1 : 1));
  const data = asData(all, options.output);
  if (data !== undefined) {
    print(data);
    return 0;
  }
  const lines = [
    ...section(
      "Orphans: their objects vanished, and nobody looks after them any more.",
      all.filter(({ moved }) => !moved),
    ),
    ...section(
      "Moved: their objects went to another management cluster, which looks after them.",
      all.filter(({ moved }) => moved),
    ),
  ];
  for (const line of lines.length === 0 ? ["no orphans"] : lines.slice(0, -1)) print(line);
  return 0;
};
