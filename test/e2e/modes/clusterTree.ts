import { clusterctl } from "../../../src/sim/controlPlane/clusterctl.ts";
import type { Place } from "../../support/e2e/manifests.ts";
import type { Scene } from "../../support/e2e/scene.ts";

/** One line of what `clusterctl describe cluster` shows: an object, or a condition of the object above. */
export interface TreeLine {
  readonly name: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

const columns = ["STATUS", "REASON", "SINCE", "MESSAGE"] as const;

/** Columns begin where their titles do; a line without a name goes on with the message above it. */
const parse = (text: string): readonly TreeLine[] => {
  const [header = "", ...rows] = text.split("\n").filter((line) => line.trim() !== "");
  const [status, reason, since, message] = columns.map((title) => header.indexOf(title));
  const lines: TreeLine[] = [];
  for (const row of rows) {
    const name = row
      .slice(0, header.indexOf("REPLICAS"))
      .replaceAll(/[│├└─]/g, "")
      .trim();
    const said = row.slice(message).trim();
    const last = lines.at(-1);
    if (name !== "" || last === undefined)
      lines.push({
        name,
        status: row.slice(status, reason).trim(),
        reason: row.slice(reason, since).trim(),
        message: said,
      });
    else lines[lines.length - 1] = { ...last, message: `${last.message} ${said}`.trim() };
  }
  return lines;
};

/** What a person sees of a cluster. */
export const clusterTree = async (
  { stack }: Scene,
  { namespace, name }: Place,
  ...options: readonly string[]
): Promise<readonly TreeLine[]> =>
  parse(await clusterctl(stack.controlPlane, ["describe", "cluster", "-n", namespace, name, ...options]));
