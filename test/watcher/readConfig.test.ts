import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/watcher/readConfig.ts";

const bus = { CAPSTAN_SERVICE_BUS_NAMESPACE: "demo.servicebus.windows.net" };
const pod = { KUBERNETES_SERVICE_HOST: "10.0.0.1" };

describe("the watcher's settings", () => {
  it("need only the broker in a pod", () => {
    expect(readConfig({ ...pod, ...bus })).toEqual({
      ok: true,
      value: {
        kube: { kind: "inCluster" },
        bus: { kind: "identity", namespace: "demo.servicebus.windows.net" },
        kinds: ["AzureCluster"],
        health: { host: "127.0.0.1", port: 8080 },
      },
    });
  });
  it("are all read", () => {
    const env = {
      CAPSTAN_KUBECONFIG: "/k",
      CAPSTAN_KUBE_CONTEXT: "c",
      CAPSTAN_SERVICE_BUS_CONNECTION: "Endpoint=sb://x;SharedAccessKey=hidden",
      CAPSTAN_KINDS: "AzureCluster, AzureMachine,AzureCluster",
      CAPSTAN_WATCH_FILTER: "mine",
      CAPSTAN_NAMESPACE: "team",
      CAPSTAN_HEALTH_HOST: "0.0.0.0",
      CAPSTAN_HEALTH_PORT: "0",
    };
    expect(readConfig(env)).toEqual({
      ok: true,
      value: {
        kube: { kind: "file", path: "/k", context: "c" },
        bus: { kind: "connectionString", connectionString: env.CAPSTAN_SERVICE_BUS_CONNECTION },
        kinds: ["AzureCluster", "AzureMachine"],
        watchFilter: "mine",
        namespace: "team",
        health: { host: "0.0.0.0", port: 0 },
      },
    });
  });
  it.each([
    { env: {}, problems: [/CAPSTAN_KUBECONFIG/, /CAPSTAN_SERVICE_BUS_NAMESPACE/] },
    { env: { ...pod, ...bus, CAPSTAN_SERVICE_BUS_CONNECTION: "x" }, problems: [/not both/] },
    { env: { ...pod, CAPSTAN_SERVICE_BUS_NAMESPACE: "sb://x" }, problems: [/host name/] },
    { env: { ...pod, ...bus, CAPSTAN_KINDS: "Secret,AzureCluster,Odd" }, problems: [/Secret, Odd/] },
    { env: { ...pod, ...bus, CAPSTAN_HEALTH_PORT: "70000" }, problems: [/CAPSTAN_HEALTH_PORT/] },
    { env: { ...bus, CAPSTAN_KUBE_CONTEXT: "c", CAPSTAN_HEALTH_PORT: "x" }, problems: [/CONTEXT/, /HEALTH_PORT/] },
  ])("are refused with all problems: $problems", ({ env, problems }) => {
    expect(readConfig(env)).toEqual({ ok: false, error: problems.map((one) => expect.stringMatching(one)) });
  });
});
