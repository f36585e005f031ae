import { setTimeout as sleep } from "node:timers/promises";
import { policyObjects } from "../../../src/api/definition/policy.ts";
import { policies } from "../../../src/api/policies/index.ts";
import type { ApiClient } from "../../../src/sim/controlPlane/apiClient.ts";
import type { KubeObject } from "../../../src/sim/controlPlane/kubeObject.ts";

const group = "/apis/admissionregistration.k8s.io/v1";

/** Refuses one ConfigMap that nobody makes: when it is refused, everything applied before is in force too. */
const canary: readonly object[] = [
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "canary" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      },
      validations: [{ expression: "object.metadata.name != 'canary'" }],
    },
  },
  {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingAdmissionPolicyBinding",
    metadata: { name: "canary" },
    spec: { policyName: "canary", validationActions: ["Deny"] },
  },
];

const apply = async (api: ApiClient, objects: readonly object[]): Promise<void> => {
  for (const object of objects as readonly KubeObject[])
    await api.apply(
      `${group}/${object.kind === "ValidatingAdmissionPolicy" ? "validatingadmissionpolicies" : "validatingadmissionpolicybindings"}`,
      object,
    );
};

/** Installs all policies and waits until the API server asks them, which takes it a second or two. */
export const installPolicies = async (api: ApiClient): Promise<void> => {
  await apply(api, [...policies.flatMap(policyObjects), ...canary]);
  const body = JSON.stringify({ metadata: { name: "canary" } });
  const path = "/api/v1/namespaces/default/configmaps?dryRun=All";
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100))
    if ((await api.send({ method: "POST", path, contentType: "application/json", body })).status >= 400) return;
  throw new Error("the policies are not in force after 60 s");
};
