import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "../../src/core/azureErrors.ts";
import { stateOfFailure } from "../../src/core/conditions.ts";
import { type Quota, quotaFamily, quotaOf, quotaWords } from "../../src/core/quota.ts";

const tail =
  "Submit a request for Quota increase at https://aka.ms/ProdportalCRP/#blade/Microsoft_Azure_Capacity by specifying parameters listed in the 'Details' section for deployment to succeed.";

/** Messages as public reports quote them. */
const wordings: readonly {
  readonly from: string;
  readonly code: string;
  readonly says: string;
  readonly quota: Quota;
}[] = [
  {
    from: "Azure/karpenter-provider-azure#192",
    code: "OperationNotAllowed",
    says: `Operation could not be completed as it results in exceeding approved standardDASv5Family Cores quota. Additional details - Deployment Model: Resource Manager, Location: eastus, Current Limit: 100, Current Usage: 96, Additional Required: 64, (Minimum) New Limit Required: 160. ${tail}`,
    quota: { family: "standardDASv5Family", limit: 100, usage: 96, requested: 64, region: "eastus" },
  },
  {
    from: "cb-spider#1558: limit and usage of the whole region",
    code: "OperationNotAllowed",
    says: `Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Deployment Model: Resource Manager, Location: KoreaSouth, Current Limit: 50, Current Usage: 50, Additional Required: 2, (Minimum) New Limit Required: 52. Setup Alerts when Quota reaches threshold. ${tail}`,
    quota: { family: "Total Regional", limit: 50, usage: 50, requested: 2, region: "KoreaSouth" },
  },
  {
    from: "scylladb/scylla-cluster-tests#4994: spot",
    code: "OperationNotAllowed",
    says: `Operation could not be completed as it results in exceeding approved LowPriorityCores quota. Additional details - Deployment Model: Resource Manager, Location: eastus, Current Limit: 100, Current Usage: 100, Additional Required: 8, (Minimum) New Limit Required: 108. ${tail}`,
    quota: { family: "LowPriorityCores", limit: 100, usage: 100, requested: 8, region: "eastus" },
  },
  {
    from: "microsoft/openshift-origin#42",
    code: "OperationNotAllowed",
    says: "Operation results in exceeding quota limits of Core. Maximum allowed: 10, Current in use: 10, Additional requested: 2. Please read more about quota increase at http://aka.ms/corequotaincrease.",
    quota: { family: "Core", limit: 10, usage: 10, requested: 2 },
  },
  {
    from: "learn.microsoft.com on QuotaExceeded of clusters",
    code: "QuotaExceeded",
    says: "Insufficient vcpu quota requested 6, remaining 4 for family standardDCSv2Family for region westeurope.",
    quota: { family: "standardDCSv2Family", requested: 6, region: "westeurope" },
  },
  {
    from: "a public log of an agent pool",
    code: "ErrCode_InsufficientVCPUQuota",
    says: "Insufficient regional vcpu quota left for location westus2. left regional vcpu quota 4, requested quota 6. If you want to increase the quota, please follow this instruction.",
    quota: { family: "regional", requested: 6, region: "westus2" },
  },
  {
    from: "openshift/openshift-azure#2252",
    code: "PublicIPCountLimitReached",
    says: "Cannot create more than 20 public IP addresses for this subscription in this region.",
    quota: { family: "public IP addresses", limit: 20 },
  },
  {
    from: "coreos/tectonic-installer#1454",
    code: "StaticPublicIPCountLimitReached",
    says: "Cannot create more than 20 public IP addresses with static allocation method for this subscription in this region.",
    quota: { family: "public IP addresses", limit: 20 },
  },
  {
    from: "learn.microsoft.com on ResourceQuotaExceeded",
    code: "ResourceQuotaExceeded",
    says: "Creating the resource of type 'Microsoft.Network/loadBalancers' would exceed the quota of '800' resources of type 'Microsoft.Network/loadBalancers' per resource group. The current resource count is '800', please delete some resources of this type before creating a new one.",
    quota: { family: "Microsoft.Network/loadBalancers", limit: 800, usage: 800 },
  },
  {
    from: "chanezon/azure-linux#15",
    code: "BadRequest",
    says: "The subscription policy limit for resource type 'public IP count' was exceeded. The limit for resource type 'public IP count' is 5 per subscription, the current count is 5, and the requested increment is 1.",
    quota: { family: "public IP count", limit: 5, usage: 5, requested: 1 },
  },
  {
    from: "a validation whose numbers were cut off",
    code: "QuotaExceeded",
    says: "Operation could not be completed as it results in exceeding approved standardNVSv3Family Cores quota.",
    quota: { family: "standardNVSv3Family" },
  },
];

describe("a quota is read from Azure's words", () => {
  it.each(wordings)("$from", ({ code, says, quota }) => {
    const failure = classify(409, { error: { code, message: says } });
    expect(failure).toMatchObject({ kind: "quota", code });
    expect(failure.quota).toEqual(quota);
  });

  it("through wrappers, as deployments and operations tell it", () => {
    const inner = JSON.stringify({ error: { code: "OperationNotAllowed", message: wordings[3]!.says } });
    const details = [{ code: "Conflict", message: inner }];
    const body = { status: "Failed", error: { code: "DeploymentFailed", message: "At least one failed.", details } };
    expect(classify(200, body)).toMatchObject({
      kind: "quota",
      code: "OperationNotAllowed",
      quota: { limit: 10, usage: 10, requested: 2 },
    });
  });

  it("A67: the condition names family, limit, usage and request; today's is a bare error without them", () => {
    const { code, says } = wordings[0]!;
    const state = stateOfFailure(classify(409, { error: { code, message: says } }), "creating");
    expect(state).toMatchObject({ kind: "failed", severity: "Error" });
    expect(JSON.stringify(state)).toContain(
      "Quota standardDASv5Family in eastus: limit 100, in use 96, asked for 64 more.",
    );
    expect(JSON.stringify(state)).not.toContain('"message":"OperationNotAllowed"');
  });

  it("A67: OperationNotAllowed without words of a quota is none", () => {
    const failure = classify(409, {
      error: {
        code: "OperationNotAllowed",
        message: "Operation 'startTenantUpdate' is not allowed on VM 'a' since the VM is marked for deletion.",
      },
    });
    expect(failure).toMatchObject({ kind: "conflict" });
    expect(failure).not.toHaveProperty("quota");
  });

  it("never throws, whatever the words", () =>
    fc.assert(fc.property(fc.string(), (words) => void quotaWords(quotaOf(words) ?? {}))));
});

it.each([
  ["Total Regional", "cores"],
  ["Total Regional Cores", "cores"],
  ["regional", "cores"],
  ["Core", "cores"],
  ["LowPriorityCores", "lowPriorityCores"],
  ["standardDSv3Family", "standardDSv3Family"],
  ["public IP addresses", "public IP addresses"],
])("the limit of %s is shared as %s", (family, shared) => expect(quotaFamily(family)).toBe(shared));
