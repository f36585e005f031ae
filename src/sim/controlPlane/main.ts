import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { installCrds } from "./installCrds.ts";
import { startControlPlane } from "./startControlPlane.ts";

/** `node src/sim/controlPlane/main.ts [--cluster-api] [--dir FOLDER] [--crds FOLDER]`: a management cluster until Ctrl-C. */

const { values } = parseArgs({
  options: { "cluster-api": { type: "boolean", default: false }, dir: { type: "string" }, crds: { type: "string" } },
});

const stopped = new Promise<undefined>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(undefined));
});

const yamlFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder)).filter((file) => file.endsWith(".yaml")).map((file) => join(folder, file));

const main = async (): Promise<void> => {
  const starting = startControlPlane({
    clusterApi: values["cluster-api"],
    progress: (line) => console.error(line),
    ...(values.dir === undefined ? {} : { dir: values.dir }),
  });
  const controlPlane = await Promise.race([starting, stopped]);
  // What has been started by then ends with this process.
  if (controlPlane === undefined) process.exit(130);
  try {
    if (values.crds !== undefined) await installCrds(controlPlane, await yamlFiles(values.crds));
    console.log(`export KUBECONFIG=${controlPlane.kubeconfigPath}`);
    console.error(`kubectl of the same version: ${controlPlane.kubectlPath}. Ctrl-C ends it.`);
    await stopped;
  } finally {
    await controlPlane.stop();
  }
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
