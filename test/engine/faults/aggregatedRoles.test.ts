import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { JsonObject } from "../../../src/core/types.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "infra", "cluster");

/** What another controller fills in of an object that we install; whoever applies it as well takes it back for ever. */
const writtenByOthers = (object: JsonObject): readonly string[] => [
  ...("aggregationRule" in object && "rules" in object ? ["rules"] : []),
  ...("status" in object ? ["status"] : []),
  ...(["managedFields", "resourceVersion", "uid", "generation", "creationTimestamp"] as const)
    .filter((field) => field in (object["metadata"] as JsonObject))
    .map((field) => `metadata.${field}`),
];

const installed = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), "utf8")).map((document) => ({
      file,
      // The one cast: a manifest is an object.
      object: document.toJS() as JsonObject,
    })),
  );

describe("what is installed in a management cluster", () => {
  it("A08: names no field that another controller fills, as upstream's aggregated role does its rules", () => {
    expect(installed.filter(({ object }) => object["kind"] === "ClusterRole").length).toBeGreaterThanOrEqual(4);
    expect(
      installed.flatMap(({ file, object }) => writtenByOthers(object).map((field) => `${file}: ${field}`)),
    ).toEqual([]);
    // Upstream's.
    const aggregated = { kind: "ClusterRole", metadata: { name: "manager" }, aggregationRule: {}, rules: [] };
    expect(writtenByOthers(aggregated)).toEqual(["rules"]);
  });
});
