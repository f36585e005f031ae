import { describe, expect, it } from "vitest";
import { ownersOf } from "../../../src/core/guard/specWriters.ts";
import type { JsonObject, ManagedFields } from "../../../src/core/types.ts";

const entry = (manager: string, atMs: number, fields: JsonObject, subresource?: string): ManagedFields => ({
  manager,
  atMs,
  fields,
  ...(subresource !== undefined && { subresource }),
});
const condition = 'k:{"type":"RouteTablesReady"}';

/** As an API server keeps them. */
const managed: readonly ManagedFields[] = [
  entry("capstan-metadata", 9, { "f:metadata": { "f:annotations": { "f:a.b/c": {} } } }),
  entry("mutator", 5, { "f:metadata": { "f:annotations": { ".": {}, "f:a.b/c": {} } } }),
  entry("janitor", 7, { "f:metadata": { "f:finalizers": { ".": {}, 'v:"x.io"': {} } } }),
  entry("gitops", 6, { "f:spec": { "f:controlPlaneEndpoint": { "f:host": {} } } }),
  entry("prober", 4, { "f:status": { "f:conditions": { [condition]: { ".": {}, "f:status": {} } } } }, "status"),
  entry("replacer", 8, { "f:status": { "f:conditions": {} } }, "status"),
  entry("elsewhere", 3, { "f:status": { "f:ready": {} } }, "status"),
];

describe("who has a field that Capstan says otherwise", () => {
  it.each([
    { part: "metadata", path: "metadata.annotations.a.b/c", owners: ["mutator"] },
    { part: "metadata", path: "metadata.annotations.a.b/other", owners: [] },
    { part: "metadata", path: "metadata.finalizers[x.io]", owners: ["janitor"] },
    { part: "spec", path: "spec.controlPlaneEndpoint.host", owners: ["gitops"] },
    { part: "spec", path: "spec.controlPlaneEndpoint.port", owners: [] },
    { part: "status", path: "status.conditions[RouteTablesReady]", owners: ["replacer", "prober"] },
    { part: "status", path: "status.conditions[VNetReady]", owners: ["replacer"] },
  ] as const)("$path: $owners", ({ part, path, owners }) => expect(ownersOf(managed, part, path)).toEqual(owners));
});
