import type { ControlPlane } from "./controlPlane.ts";
import { findTools } from "./findTools.ts";
import { runCommand } from "./runCommand.ts";

/**
 * Runs the pinned clusterctl against the cluster and returns its output; builds it when it is used for the first time.
 * `variables` are what templates ask for. Fails with what it wrote to standard error.
 */
export const clusterctl = async (
  controlPlane: ControlPlane,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const { env, progress } = controlPlane.parts;
  const programs = await findTools(["clusterctl"], { env, progress });
  return runCommand(programs.clusterctl, args, {
    env: {
      PATH: env["PATH"],
      // Its own configuration folder, not the user's; and no look at the internet for a newer release.
      HOME: controlPlane.dir,
      CLUSTERCTL_DISABLE_VERSIONCHECK: "true",
      KUBECONFIG: controlPlane.kubeconfigPath,
      ...variables,
    },
  });
};
