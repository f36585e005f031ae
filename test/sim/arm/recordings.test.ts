import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Json } from "../../../src/sim/arm/json.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";
import { aWorld } from "./aWorld.ts";

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly apiVersion?: string;
  readonly status?: number;
  readonly body?: Json;
}

const folder = join(sharedDir, "contract", "recordings");

const read = (name: string, file: string): readonly Recorded[] => {
  const path = join(folder, name, file);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly Recorded[]) : [];
};

describeWithShared("what CAPZ wrote is accepted, with the status it was recorded with", () => {
  const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "requests.json")));

  it.each(names)("%s", (name) => {
    const world = aWorld();
    for (const { method, path, body } of read(name, "precreated.json")) {
      expect(world.send(method, path, body, { apiVersion: "2023-11-01" }).status).toBeLessThan(300);
      world.advance(1_000);
    }
    for (const request of read(name, "requests.json")) {
      const { status, code } = world.send(request.method, request.path, request.body, {
        apiVersion: request.apiVersion,
      });
      // The recording's Azure answered 201 for private DNS zones and links; Azure itself accepts with 202.
      const dns = /privateDnsZones\/[^/]+(\/virtualNetworkLinks\/[^/]+)?$/.test(request.path);
      expect({ path: request.path, status, code }).toEqual({
        path: request.path,
        status: dns ? 202 : request.status,
        code: "",
      });
      world.advance(1_000);
    }
  });
});
