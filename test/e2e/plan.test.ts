import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { idKey } from "../../src/core/ids.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { formProblems } from "../cli/plan/planForm.ts";
import { requestCount, writesOf } from "../support/e2e/azureLog.ts";
import { anAzureCluster, everything, type Place, subscription } from "../support/e2e/manifests.ts";
import { apply, editSpec, settled } from "../support/e2e/objects.ts";
import { useScene } from "../support/e2e/scene.ts";

const place: Place = { namespace: "plans", name: "demo" };
const group = `/subscriptions/${subscription}/resourceGroups/plans-demo`;
const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
const tags: JsonObject = { additionalTags: { team: "blue" } };

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}
interface Step {
  readonly action: string;
  readonly method: string;
  readonly id: string;
}
const stepsOf = ({ out }: Ended): readonly Step[] => (JSON.parse(out) as { readonly steps: readonly Step[] }).steps;

describe("capstan plan, on the full local stack", () => {
  const scene = useScene({ azure: { retryAfterSeconds: 1 } });
  let folder = "";

  const capstan = async (args: readonly string[], input = ""): Promise<Ended> => {
    const { settings, controlPlane } = scene().stack;
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...process.env, ...settings, KUBECONFIG: controlPlane.kubeconfigPath, NO_COLOR: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child.stdin.end(input);
    const closed = new Promise<number | null>((done) => child.on("close", done));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { status: await closed, out, err };
  };
  const compared = (...args: readonly string[]): Promise<Ended> =>
    capstan(["plan", "--cluster", "--azure", "-n", "plans", ...args]);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "capstan-plan-"));
    await apply(scene(), everything(place));
    await settled(scene(), place);
  }, 600_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("finds nothing to do where all is done, and writes nothing", async () => {
    const before = await requestCount(scene());
    const done = await compared("azurecluster/demo", "-o", "json", "--exit-code");
    expect(done).toMatchObject({ status: 0, err: expect.stringContaining("read as AzureClusterIdentity plans/demo") });
    expect(formProblems(done.out)).toEqual([]);
    expect(new Set(stepsOf(done).map(({ action }) => action))).toEqual(new Set(["none"]));
    const taken = await capstan(["adopt", "azurecluster/demo", "-n", "plans", "--check", "--exit-code"]);
    expect(taken).toMatchObject({ status: 0, out: expect.stringContaining("empty: taking over changes nothing") });
    expect(await writesOf(scene(), "plans-demo", before)).toEqual([]);
  });

  it("tells an edit in a file beforehand, request by request", async () => {
    const file = join(folder, "edited.yaml");
    await writeFile(file, JSON.stringify(anAzureCluster(place, tags)));
    const planned = await compared("-f", file, "-o", "json", "--exit-code");
    expect({ status: planned.status, problems: formProblems(planned.out) }).toEqual({ status: 1, problems: [] });
    const before = await requestCount(scene());
    await editSpec(scene(), place, tags);
    await settled(scene(), place);
    const wrote = await writesOf(scene(), "plans-demo", before);
    const inWords = ({ method, id }: Pick<Step, "method" | "id">): string => `${method} ${idKey(id)}`;
    const wanted = stepsOf(planned).filter(({ action }) => action !== "none");
    expect(wanted.length).toBeGreaterThan(0);
    expect(wrote.map(({ method, path }) => inWords({ method, id: path })).toSorted()).toEqual(
      wanted.map(inWords).toSorted(),
    );
  });

  it("plans files from standard input without asking anybody, and a deletion as it will be", async () => {
    const manifest = everything({ ...place, name: "new" })
      .map((one) => JSON.stringify(one))
      .join("\n---\n");
    const fresh = await capstan(["plan", "-f", "-"], manifest);
    expect(fresh).toMatchObject({ status: 0, out: expect.stringMatching(/\n\d+ to create, 0 to update, 0 to delete/) });
    const gone = await compared("azurecluster", "demo", "--delete");
    expect(gone.out).toMatch(/resourceGroups\n {2}delete {2}plans-demo\n/);
  });

  it("refuses to adopt what the object does not want, and what it is not asked for properly", async () => {
    const strange = await capstan(["adopt", "azurecluster/demo", "-n", "plans", "--id", `${group}-other`, "--dry-run"]);
    expect(strange).toMatchObject({ status: 2, err: expect.stringContaining("does not want") });
    expect(await compared("azurecluster/absent")).toMatchObject({ status: 3, out: "" });
    expect(await compared()).toMatchObject({ status: 2, out: "" });
    const nowhere = await compared("azurecluster/demo", "--kubeconfig", join(folder, "none"));
    expect(nowhere).toMatchObject({ status: 3, err: expect.stringContaining("no such file") });
  });
});
