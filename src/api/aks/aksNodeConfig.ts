import { Type } from "typebox";
import { flag, integer, list, oneOf, ruled, text } from "../schema.ts";
import { aksSysctls } from "./aksSysctls.ts";

/** How the nodes of a pool are set up; fixed when the pool is made. */

const unsafeSysctl = ruled(text("Name of a parameter, or the beginning of names and `*`.", { maxLength: 256 }), {
  rule: "self.matches('^(kernel[.]shm.+|kernel[.]msg.+|kernel[.]sem|fs[.]mqueue[.].+|net[.].+)$')",
  message: "must be of kernel.shm*, kernel.msg*, kernel.sem, fs.mqueue.* or net.*",
});

/** Settings of the kubelet (https://learn.microsoft.com/azure/aks/custom-node-configuration#kubelet-custom-configuration). */
export const aksKubeletConfig = ruled(
  Type.Object(
    {
      cpuManagerPolicy: Type.Optional(oneOf("Whether pods may have processors of their own.", ["none", "static"])),
      cpuCfsQuota: Type.Optional(flag("Whether limits of processor time are enforced.")),
      cpuCfsQuotaPeriod: Type.Optional(
        ruled(text("Period over which processor time is limited, such as `100ms`.", { maxLength: 64 }), {
          rule: "self == '' || self.endsWith('ms')",
          message: "must end in ms, such as 100ms",
        }),
      ),
      imageGcHighThreshold: Type.Optional(
        integer("Disk use in percent from which images are removed.", { minimum: 0, maximum: 100 }),
      ),
      imageGcLowThreshold: Type.Optional(
        integer("Disk use in percent down to which images are removed.", { minimum: 0, maximum: 100 }),
      ),
      topologyManagerPolicy: Type.Optional(
        oneOf("How processors, memory and devices are aligned.", [
          "none",
          "best-effort",
          "restricted",
          "single-numa-node",
        ]),
      ),
      allowedUnsafeSysctls: Type.Optional(
        // A kernel has some thousand parameters.
        list("Kernel parameters that pods may set, such as `net.*`.", unsafeSysctl, { maxItems: 2048 }),
      ),
      failSwapOn: Type.Optional(flag("Whether the kubelet refuses to run with swap.")),
      containerLogMaxSizeMB: Type.Optional(integer("Size in MB at which a log of a container is rotated.")),
      containerLogMaxFiles: Type.Optional(integer("Log files kept a container.", { minimum: 2 })),
      podMaxPids: Type.Optional(integer("Processes a pod; -1 for no limit.", { minimum: -1 })),
    },
    { description: "Settings of the kubelet; fixed at creation." },
  ),
  {
    rule: "!has(self.imageGcLowThreshold) || !has(self.imageGcHighThreshold) || self.imageGcLowThreshold <= self.imageGcHighThreshold",
    message: "must not be above imageGcHighThreshold",
    fieldPath: ".imageGcLowThreshold",
  },
);

/** Settings of Linux nodes. */
export const aksLinuxOsConfig = Type.Object(
  {
    swapFileSizeMB: Type.Optional(
      integer("Size in MB of a swap file; needs `kubeletConfig.failSwapOn: false`.", { minimum: 1 }),
    ),
    transparentHugePageEnabled: Type.Optional(oneOf("Where huge pages are used.", ["always", "madvise", "never"])),
    transparentHugePageDefrag: Type.Optional(
      oneOf("How memory is tidied up for huge pages.", ["always", "defer", "defer+madvise", "madvise", "never"]),
    ),
    sysctls: Type.Optional(aksSysctls),
  },
  { description: "Settings of Linux; fixed at creation." },
);
