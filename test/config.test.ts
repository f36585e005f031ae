import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readConfig, type Setting, settings } from "../src/config.ts";

const guid = "11111111-aaaa-4aaa-8aaa-111111111111";
const production = {
  ServiceBusConnection__fullyQualifiedNamespace: "example.servicebus.windows.net",
  CAPSTAN_TABLES_ENDPOINT: "https://example.table.core.windows.net",
  CAPSTAN_CLUSTERS: '[{"uid": "u1", "kubeconfig": "/etc/kube/one"}]',
  CAPSTAN_CLIENT_ID: guid,
};
const local = {
  ServiceBusConnection:
    "Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=n;SharedAccessKey=hunter2;UseDevelopmentEmulator=true",
  CAPSTAN_TABLES_CONNECTION:
    "DefaultEndpointsProtocol=http;AccountName=a;AccountKey=hunter2;TableEndpoint=http://127.0.0.1:1/a;",
  CAPSTAN_CLUSTERS: '[{"uid": "u1", "inCluster": true}]',
  CAPSTAN_DEVELOPMENT: "true",
  CAPSTAN_ARM_REROUTE: "http://127.0.0.1:8080",
};
const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
  const read = readConfig(env);
  return read.ok ? [] : read.error;
};

describe("readConfig", () => {
  it("reads the least that production needs, with defaults", () => {
    const read = readConfig(production);
    expect(read).toEqual({
      ok: true,
      value: {
        serviceBus: { kind: "namespace", namespace: "example.servicebus.windows.net" },
        queue: "reconcile",
        tables: { kind: "endpoint", endpoint: "https://example.table.core.windows.net" },
        clusters: [{ uid: "u1", source: { kind: "file", path: "/etc/kube/one" } }],
        ownClientId: guid,
        driftPeriodMs: 86_400_000,
        logLevel: "info",
      },
    });
    expect(read.ok && Object.isFrozen(read.value)).toBe(true);
  });

  it("reads all that can be set", () => {
    const read = readConfig({
      ...production,
      CAPSTAN_QUEUE: "work",
      CAPSTAN_CLUSTERS: '[{"uid": "a", "kubeconfig": "/k", "context": "c"}, {"uid": "b", "inCluster": true}]',
      CAPSTAN_ALLOWED_IDENTITIES: `{"team": [{"clientId": "${guid}", "tenantId": "t"}]}`,
      CAPSTAN_CREDENTIAL_FOLDER: "/etc/credentials",
      AZURE_FEDERATED_TOKEN_FILE: "/var/token",
      AZURE_SUBSCRIPTION_ID: guid,
      CAPSTAN_WATCH_FILTER: "blue",
      CAPSTAN_DRIFT_PERIOD: "90m",
      CAPSTAN_LOG_LEVEL: "debug",
      CAPSTAN_DEVELOPMENT: "false",
    });
    expect(read).toMatchObject({
      ok: true,
      value: {
        queue: "work",
        clusters: [
          { uid: "a", source: { kind: "file", path: "/k", context: "c" } },
          { uid: "b", source: { kind: "inCluster" } },
        ],
        allowedIdentities: { team: [{ clientId: guid, tenantId: "t" }] },
        credentialFolder: "/etc/credentials",
        federatedTokenFile: "/var/token",
        subscriptionId: guid,
        watchFilter: "blue",
        driftPeriodMs: 5_400_000,
        logLevel: "debug",
      },
    });
    expect(read.ok && "development" in read.value).toBe(false);
  });

  it("reads a local installation", () => {
    expect(readConfig(local)).toMatchObject({
      ok: true,
      value: { development: { armReroute: "http://127.0.0.1:8080" }, serviceBus: { kind: "connectionString" } },
    });
  });

  it("tells all that is missing at once", () => {
    expect(problemsOf({ CAPSTAN_LOG_LEVEL: "loud", CAPSTAN_DRIFT_PERIOD: "often" })).toEqual([
      "ServiceBusConnection__fullyQualifiedNamespace or ServiceBusConnection is needed",
      "CAPSTAN_TABLES_ENDPOINT or CAPSTAN_TABLES_CONNECTION is needed",
      expect.stringContaining("CAPSTAN_CLUSTERS: "),
      expect.stringContaining("CAPSTAN_DRIFT_PERIOD: "),
      expect.stringContaining("CAPSTAN_LOG_LEVEL: "),
      expect.stringContaining("CAPSTAN_CLIENT_ID is needed"),
    ]);
  });

  it.each([
    { when: "two ways to the queue", env: { ServiceBusConnection: "Endpoint=sb://x" }, names: "ServiceBusConnection" },
    { when: "two ways to the tables", env: { CAPSTAN_TABLES_CONNECTION: "A=b" }, names: "CAPSTAN_TABLES_ENDPOINT" },
    {
      when: "plain HTTP to the tables",
      env: { CAPSTAN_TABLES_ENDPOINT: "http://x.example" },
      names: "TABLES_ENDPOINT",
    },
    { when: "clusters that are no JSON", env: { CAPSTAN_CLUSTERS: "[" }, names: "CAPSTAN_CLUSTERS" },
    { when: "no cluster", env: { CAPSTAN_CLUSTERS: "[]" }, names: "CAPSTAN_CLUSTERS" },
    { when: "a cluster without a uid", env: { CAPSTAN_CLUSTERS: '[{"kubeconfig": "/k"}]' }, names: "CAPSTAN_CLUSTERS" },
    {
      when: "a cluster twice",
      env: { CAPSTAN_CLUSTERS: '[{"uid": "a", "inCluster": true}, {"uid": "a", "kubeconfig": "/k"}]' },
      names: "a occurs twice",
    },
    {
      when: "a misspelt part",
      env: { CAPSTAN_CLUSTERS: '[{"uid": "a", "kubeconfg": "/k"}]' },
      names: "CAPSTAN_CLUSTERS",
    },
    { when: "identities that are no JSON", env: { CAPSTAN_ALLOWED_IDENTITIES: "{" }, names: "ALLOWED_IDENTITIES" },
    {
      when: "identities in a wrong form",
      env: { CAPSTAN_ALLOWED_IDENTITIES: '{"a": {}}' },
      names: "ALLOWED_IDENTITIES",
    },
    { when: "a client id that is none", env: { CAPSTAN_CLIENT_ID: "me" }, names: "CAPSTAN_CLIENT_ID" },
    { when: "a relative folder", env: { CAPSTAN_CREDENTIAL_FOLDER: "here" }, names: "CREDENTIAL_FOLDER" },
    {
      when: "a re-route in production",
      env: { CAPSTAN_ARM_REROUTE: "http://127.0.0.1:1" },
      names: "CAPSTAN_DEVELOPMENT",
    },
    {
      when: "a re-route to another machine",
      env: { CAPSTAN_DEVELOPMENT: "true", CAPSTAN_ARM_REROUTE: "http://evil.example" },
      names: "CAPSTAN_ARM_REROUTE",
    },
    { when: "an unclear flag", env: { CAPSTAN_DEVELOPMENT: "yes" }, names: "CAPSTAN_DEVELOPMENT" },
    { when: "no time at all", env: { CAPSTAN_DRIFT_PERIOD: "0h" }, names: "CAPSTAN_DRIFT_PERIOD" },
  ])("refuses $when", ({ env, names }) => {
    const problems = problemsOf({ ...production, ...env });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(names);
  });

  it("refuses emulators in production, and shows no secret in doing so", () => {
    const { CAPSTAN_DEVELOPMENT: _, CAPSTAN_ARM_REROUTE: _reroute, ...env } = local;
    const problems = problemsOf({ ...env, CAPSTAN_CLIENT_ID: guid });
    expect(problems).toHaveLength(2);
    expect(problems.join()).not.toContain("hunter2");
  });

  it("never throws and never quotes a value, whatever the environment holds", () => {
    const names = fc.constantFrom(...Object.keys(settings));
    const value = fc.string({ minLength: 1 }).map((text) => `marker-${text}`);
    fc.assert(
      fc.property(fc.dictionary(names, value), (env) => {
        expect(problemsOf(env).join("\n")).not.toContain("marker-");
      }),
    );
  });

  it("reads exactly the settings that are documented", () => {
    const read = new Set<string>();
    const env = new Proxy<Record<string, string>>(
      {},
      {
        get: (_target, name) => {
          read.add(String(name));
          return undefined;
        },
      },
    );
    readConfig(env);
    expect(read).toEqual(new Set(Object.keys(settings)));
    for (const { description } of Object.values<Setting>(settings)) expect(description).toMatch(/\.$/);
  });
});
