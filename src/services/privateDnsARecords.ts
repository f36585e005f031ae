import { byDefault } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { RecordSetBody } from "../wire/generated/privateDns.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import { recordTtlSeconds } from "./parts/dnsRecord.ts";
import type { ClusterScope } from "./scope.ts";

/** The name of a private API server with an IPv4 address. */
export const privateDnsARecords = defineService<ClusterScope, RecordSetBody>({
  name: "privateDnsARecords",
  label: "privatedns",
  type: "Microsoft.Network/privateDnsZones/A",
  condition: "PrivateDNSRecordReady",
  after: ["privateDnsZones"],
  ownership: "parent",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    agrees: ["properties.aRecords"],
    compare: { "properties.aRecords[].ipv4Address": "address" },
  },
  desired: (scope) => {
    const { privateDns: dns } = scope;
    if (dns?.record.version !== 4) return [];
    return [
      {
        id: ids.privateDnsChild(scope, dns, "A", dns.record.name),
        body: {
          properties: { ttl: byDefault(recordTtlSeconds), aRecords: [{ ipv4Address: marked(dns.record.address) }] },
        },
      },
    ];
  },
});
