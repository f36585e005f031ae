/** A version of Kubernetes, as a Machine states it. */
export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
  /** The whole without a leading `v`: `1.31.2`, `1.32.0-rc.1+build`. */
  readonly text: string;
}

const form = /^v?(?<major>\d+)(\.(?<minor>\d+))?(\.(?<patch>\d+))?(?<rest>(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?)$/;

/** Reads a version; a leading `v` is let pass, and missing parts are 0. Undefined when it is none. */
export const parseKubernetesVersion = (text: string): KubernetesVersion | undefined => {
  const { major, minor = "0", patch = "0", rest = "" } = form.exec(text.trim())?.groups ?? {};
  if (major === undefined) return undefined;
  const [first, second, third] = [Number(major), Number(minor), Number(patch)];
  return { major: first, minor: second, text: `${first}.${second}.${third}${rest}` };
};

/** Whether a version is not before another one of which only major and minor count. */
export const isAtLeast = (version: KubernetesVersion, major: number, minor: number): boolean =>
  version.major > major || (version.major === major && version.minor >= minor);
