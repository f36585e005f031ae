import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installCrds } from "./installCrds.ts";
import { startControlPlane } from "./startControlPlane.ts";

/** `node src/sim/controlPlane/main.ts [--cluster-api] [--dir FOLDER] [--crds FOLDER]`: a management cluster until Ctrl-C. */

const { values } = parseArgs({
  options: { "cluster-api": { type: "boolean", default: false }, dir: { type: "string" }, crds: { type: "string" } },
});

const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});

const main = async (): Promise<void> => {
  const controlPlane = await startControlPlane({
    clusterApi: values["cluster-api"],
    progress: (line) => console.error(line),
    ...(values.dir === undefined ? {} : { dir: values.dir }),
  });
  if (values.crds !== undefined) {
    const folder = values.crds;
    const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml"));
    await installCrds(
      controlPlane,
      files.map((file) => join(folder, file)),
    );
  }
  console.log(`export KUBECONFIG=${controlPlane.kubeconfigPath}`);
  console.error("Ctrl-C ends it.");
  await stopped;
  await controlPlane.stop();
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
