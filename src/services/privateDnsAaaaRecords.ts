import { byDefault } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { RecordSetBody } from "../wire/generated/privateDns.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import { recordTtlSeconds } from "./parts/dnsRecord.ts";
import type { ClusterScope } from "./scope.ts";

/** The name of a private API server with an IPv6 address. */
export const privateDnsAaaaRecords = defineService<ClusterScope, RecordSetBody>({
  name: "privateDnsAaaaRecords",
  label: "privatedns",
  type: "Microsoft.Network/privateDnsZones/AAAA",
  condition: "PrivateDNSRecordReady",
  after: ["privateDnsZones"],
  ownership: "parent",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    agrees: ["properties.aaaaRecords"],
    compare: { "properties.aaaaRecords[].ipv6Address": "address" },
  },
  desired: (scope) => {
    const { privateDns: dns } = scope;
    if (dns?.record.version !== 6) return [];
    return [
      {
        id: ids.privateDnsChild(scope, dns, "AAAA", dns.record.name),
        body: {
          properties: { ttl: byDefault(recordTtlSeconds), aaaaRecords: [{ ipv6Address: marked(dns.record.address) }] },
        },
      },
    ];
  },
});
