import { aksPage, alike, type ErrorCodes, report, sources } from "./errorCode.ts";

/** Microsoft.ContainerService: managed clusters and their agent pools. */
export const containerServiceErrors: ErrorCodes = {
  ...alike(
    { kind: "capacity", source: aksPage("akscapacityheavyusage-error"), pace: { firstSeconds: 900 } },
    { AksCapacityHeavyUsage: "Azure has no room for another cluster in this region now; another region may." },
  ),
  ...alike(
    { kind: "conflict", source: aksPage("aksoperationpreempted-error") },
    {
      AKSOperationPreempted: "A newer operation took its place.",
      AKSOperationPreemptedByDelete: "The cluster is being deleted.",
    },
  ),
  ...alike(
    { kind: "conflict", source: report("Azure/azure-powershell#23812") },
    { NotLatestOperation: "A newer operation took its place." },
  ),
  ...alike(
    { kind: "quota", source: aksPage("quota-exceeded-error") },
    {
      ErrCode_InsufficientVCPUQuota: "Ask for a higher quota of cores, or use another size or region.",
      InsufficientVCPUQuota: "Ask for a higher quota of cores, or use another size or region.",
    },
  ),
  ...alike({ kind: "throttled", source: aksPage("toomanyrequestsreceived-error") }, { TooManyRequestsReceived: "" }),
  ...alike({ kind: "throttled", source: aksPage("throttled-error") }, { Throttled: "" }),
  ...alike(
    { kind: "auth", source: aksPage("serviceprincipalvalidationclienterror-error") },
    { ServicePrincipalValidationClientError: "The cluster's service principal cannot prove itself; renew its secret." },
  ),
  ...alike(
    { kind: "auth", source: aksPage("bad-request-or-invalid-client-secret-error") },
    { InvalidClientSecret: "The cluster's service principal has a wrong or expired secret; renew it." },
  ),
  ...alike(
    {
      kind: "auth",
      source: aksPage("customprivatednszonemissingpermissions-error"),
      wakes: ["identity", "dependencies"],
    },
    {
      CustomPrivateDNSZoneMissingPermissionError:
        "The cluster's identity needs the role Private DNS Zone Contributor on the zone.",
    },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("createorupdatevirtualnetworklinkfailed-error") },
    { CreateOrUpdateVirtualNetworkLinkFailed: "The private DNS zone cannot be linked; the message says why." },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("unsatisfiablepdb-error"), pace: { firstSeconds: 60, freshCapSeconds: 300 } },
    { UnsatisfiablePDB: "A pod disruption budget in the cluster keeps its nodes from being drained." },
  ),
  ...alike(
    { kind: "dependency", source: aksPage("upgradefailed-error"), pace: { firstSeconds: 60, freshCapSeconds: 300 } },
    { UpgradeFailed: "The upgrade stopped; the message names the node and why." },
  ),
  ...alike(
    { kind: "transient", source: sources.aks, pace: { firstSeconds: 60 } },
    {
      CniDownloadTimeoutVMExtensionError: "A node cannot download its network plugin: may it reach the internet?",
      K8SDownloadTimeoutVMExtensionError: "A node cannot download Kubernetes: may it reach the internet?",
      OutboundConnFailVMExtensionError: "A node cannot reach the internet; check routes and firewall.",
      K8SAPIServerConnFailVMExtensionError: "A node cannot reach the API server; check routes, firewall and rules.",
      K8SAPIServerDNSLookupFailVMExtensionError: "A node cannot resolve the API server's name; check the DNS servers.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("availabilityzonenotsupported-error") },
    { AvailabilityZoneNotSupported: "The size is not offered in this zone; choose other zones or another size." },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("dnsserviceipoutofservicecidr-error") },
    { DnsServiceIpOutOfServiceCidr: "The DNS service address must lie in the service range." },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("servicecidroverlapexistingsubnetscidr-error") },
    { ServiceCidrOverlapExistingSubnetsCidr: "The service range must not overlap a subnet of the virtual network." },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("invalidloadbalancerprofileallocatedoutboundports-error") },
    { InvalidLoadBalancerProfileAllocatedOutboundPorts: "More outbound ports are asked for than the addresses have." },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("nodepoolmcversionincompatible-error") },
    { NodePoolMcVersionIncompatible: "The pool's version is too far from that of the control plane." },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("subnetisdelegated-error") },
    { SubnetIsDelegated: "The subnet is delegated to another service; use another one." },
  ),
  ...alike(
    { kind: "badConfiguration", source: aksPage("subnetwithexternalresourcescannotbeusedbyotherresources-error") },
    {
      SubnetWithExternalResourcesCannotBeUsedByOtherResources:
        "The subnet belongs to another service; use another one.",
    },
  ),
  ...alike(
    { kind: "badConfiguration", source: sources.aks },
    { InsufficientSubnetSize: "The subnet has too few addresses for the nodes and pods asked for." },
  ),
};
