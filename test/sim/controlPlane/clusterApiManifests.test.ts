import { describe, expect, it } from "vitest";
import { withConversion, withWebhookUrl } from "../../../src/sim/controlPlane/clusterApiManifests.ts";

const url = "https://127.0.0.1:20123";

describe("the manifests of a manager", () => {
  it("let the API server convert on this machine and keep the rest of the definition", () => {
    const crd = { apiVersion: "v1", kind: "CustomResourceDefinition", metadata: { name: "a" }, spec: { group: "b" } };
    expect(withConversion(crd, url, "Q0E=")).toEqual({
      ...crd,
      spec: {
        group: "b",
        conversion: {
          strategy: "Webhook",
          webhook: {
            conversionReviewVersions: ["v1"],
            clientConfig: { url: "https://127.0.0.1:20123/convert", caBundle: "Q0E=" },
          },
        },
      },
    });
  });

  it("send each webhook to its own path on this machine and keep its rules", () => {
    const service = (path: string) => ({ service: { name: "webhook-service", namespace: "system", path } });
    const configuration = {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "a" },
      webhooks: [
        { name: "one", failurePolicy: "Fail", clientConfig: service("/validate-one") },
        { name: "two", clientConfig: service("/validate-two") },
      ],
    };
    expect(withWebhookUrl(configuration, url, "Q0E=")["webhooks"]).toEqual([
      { name: "one", failurePolicy: "Fail", clientConfig: { url: `${url}/validate-one`, caBundle: "Q0E=" } },
      { name: "two", clientConfig: { url: `${url}/validate-two`, caBundle: "Q0E=" } },
    ]);
  });
});
