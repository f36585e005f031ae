import { Type } from "typebox";
import { flag, integer, ruled, text } from "../schema.ts";

const between = (description: string, minimum: number, maximum: number) =>
  Type.Optional(integer(description, { minimum, maximum }));

/**
 * Kernel parameters, with the limits that AKS sets
 * (https://learn.microsoft.com/azure/aks/custom-node-configuration#linux-custom-os-configuration).
 */
export const aksSysctls = Type.Object(
  {
    fsAioMaxNr: between("`fs.aio-max-nr`: asynchronous requests in the whole system.", 65_536, 6_553_500),
    fsFileMax: between("`fs.file-max`: open files in the whole system.", 8192, 12_000_500),
    fsInotifyMaxUserWatches: between("`fs.inotify.max_user_watches`: watched files a user.", 781_250, 2_097_152),
    fsNrOpen: between("`fs.nr_open`: open files one process may have.", 8192, 20_000_500),
    kernelThreadsMax: between("`kernel.threads-max`: threads in the whole system.", 20, 513_785),
    netCoreNetdevMaxBacklog: between("`net.core.netdev_max_backlog`: packets waiting for the kernel.", 1000, 3_240_000),
    netCoreOptmemMax: between("`net.core.optmem_max`: bytes of option memory a socket.", 20_480, 4_194_304),
    netCoreRmemDefault: between("`net.core.rmem_default`: bytes of a receive buffer.", 212_992, 134_217_728),
    netCoreRmemMax: between("`net.core.rmem_max`: most bytes of a receive buffer.", 212_992, 134_217_728),
    netCoreSomaxconn: between("`net.core.somaxconn`: connections waiting to be accepted.", 4096, 3_240_000),
    netCoreWmemDefault: between("`net.core.wmem_default`: bytes of a send buffer.", 212_992, 134_217_728),
    netCoreWmemMax: between("`net.core.wmem_max`: most bytes of a send buffer.", 212_992, 134_217_728),
    netIpv4IPLocalPortRange: Type.Optional(
      ruled(
        text("`net.ipv4.ip_local_port_range`: first and last local port, with a space between.", { maxLength: 64 }),
        {
          rule: "self == '' || self.matches('^[0-9]{1,9} [0-9]{1,9}$') && [self.split(' ').map(port, int(port))].all(ports, ports[0] >= 1024 && ports[0] <= 60999 && ports[1] >= 32768 && ports[1] <= 65000 && ports[0] <= ports[1])",
          message:
            "must be a first port from 1024 to 60999, a space, and a last port from 32768 to 65000, not below the first",
        },
      ),
    ),
    netIpv4NeighDefaultGcThresh1: between("`net.ipv4.neigh.default.gc_thresh1`: neighbours always kept.", 128, 80_000),
    netIpv4NeighDefaultGcThresh2: between("`net.ipv4.neigh.default.gc_thresh2`: neighbours kept briefly.", 512, 90_000),
    netIpv4NeighDefaultGcThresh3: between("`net.ipv4.neigh.default.gc_thresh3`: most neighbours.", 1024, 100_000),
    netIpv4TCPFinTimeout: between("`net.ipv4.tcp_fin_timeout`: seconds to wait for the last FIN.", 5, 120),
    netIpv4TCPKeepaliveProbes: between("`net.ipv4.tcp_keepalive_probes`: probes before giving up.", 1, 15),
    netIpv4TCPKeepaliveTime: between("`net.ipv4.tcp_keepalive_time`: seconds of silence before probes.", 30, 432_000),
    netIpv4TCPkeepaliveIntvl: between("`net.ipv4.tcp_keepalive_intvl`: seconds between probes.", 1, 75),
    netIpv4TCPMaxSynBacklog: between("`net.ipv4.tcp_max_syn_backlog`: half-open connections.", 128, 3_240_000),
    netIpv4TCPMaxTwBuckets: between("`net.ipv4.tcp_max_tw_buckets`: sockets in TIME_WAIT.", 8000, 1_440_000),
    netIpv4TCPTwReuse: Type.Optional(flag("`net.ipv4.tcp_tw_reuse`: whether sockets in TIME_WAIT are used again.")),
    netNetfilterNfConntrackBuckets: between(
      "`net.netfilter.nf_conntrack_buckets`: size of the table.",
      65_536,
      147_456,
    ),
    netNetfilterNfConntrackMax: between("`net.netfilter.nf_conntrack_max`: tracked connections.", 131_072, 1_048_576),
    vmMaxMapCount: between("`vm.max_map_count`: memory maps one process may have.", 65_530, 262_144),
    vmSwappiness: between("`vm.swappiness`: readiness to swap.", 0, 100),
    vmVfsCachePressure: between("`vm.vfs_cache_pressure`: readiness to drop file caches.", 1, 500),
  },
  { description: "Kernel parameters." },
);
