import { describe, expect, it } from "vitest";
import type { Deps } from "../../src/engine/deps.ts";
import { kinds } from "../../src/kinds/index.ts";
import { activeFaults, type FaultRule } from "../../src/sim/arm/faults.ts";
import { canaries, everythingSaid, leaks } from "../support/canaries.ts";
import { ids, key, mutate, withSource, withTag } from "../support/defaultCluster.ts";
import { applyTestThing, testKinds } from "../support/testServices/testKind.ts";
import type { Wishes } from "../support/testServices/wish.ts";
import { lookAgain, runBy } from "../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
type Canary = keyof typeof canaries;
/** What somebody says who was told these secrets, in several spellings. */
const echoOf = (names: readonly Canary[]): string => {
  const told = Object.fromEntries(names.map((name) => [name, canaries[name]]));
  const coded = names.map((name) => Buffer.from(canaries[name]).toString("base64"));
  return `The request was ${JSON.stringify(JSON.stringify(told))}; '${[...Object.values(told), ...coded].join("', '")}' is wrong`;
};
const addFaults = (world: World, ...rules: readonly FaultRule[]): void =>
  void world.arm.faults.push(...activeFaults(rules));

/** Azure refuses each verb once, and lets an operation fail once, and says all that it was told. */
const indiscreet = (...names: readonly Canary[]): readonly FaultRule[] => [
  ...(["PUT", "PATCH", "DELETE", "GET"] as const).map(
    (method): FaultRule => ({
      match: { method, nth: 2 },
      fault: { kind: "respond", status: 400, code: "InvalidParameter", message: echoOf(names) },
    }),
  ),
  {
    match: { method: "PUT", nth: 4 },
    fault: { kind: "failOperation", code: "InternalServerError", message: echoOf(names) },
  },
];

/** Deps that keep what Azure was sent, and all that was ever stored: an intent stands in its row only while it is carried out. */
const watched = (world: World): { readonly deps: Deps; readonly sent: () => string; readonly stored: () => string } => {
  const bodies: string[] = [];
  const rows: string[] = [];
  const { azure, tables } = world.deps;
  const deps: Deps = {
    ...world.deps,
    tables: {
      ...tables,
      nowMs: () => tables.nowMs(),
      commit: (table, partition, actions) => {
        rows.push(JSON.stringify(actions));
        return tables.commit(table, partition, actions);
      },
    },
    azure: {
      connect: async (credential) => {
        bodies.push(JSON.stringify(credential));
        const connected = await azure.connect(credential);
        if (!connected.ok) return connected;
        const { value: arm } = connected;
        return {
          ok: true,
          value: {
            ...arm,
            send: (request) => {
              bodies.push(JSON.stringify(request.body ?? null));
              return arm.send(request);
            },
          },
        };
      },
    },
  };
  return { deps, sent: () => bodies.join("\n"), stored: () => rows.join("\n") };
};

const wishes = (team: string): Wishes => ({
  testScaleSets: {
    ss: {
      body: {
        sku: { name: "Standard_D2s_v3", tier: "Standard", capacity: 1 },
        tags: { team },
        properties: {
          orchestrationMode: "Uniform",
          upgradePolicy: { mode: "Manual" },
          virtualMachineProfile: {
            userData: canaries.userData,
            osProfile: {
              computerNamePrefix: "ss",
              adminUsername: "capi",
              adminPassword: canaries.adminPassword,
              customData: Buffer.from(canaries.bootstrap).toString("base64"),
            },
            extensionProfile: {
              extensions: [{ name: "e", properties: { protectedSettings: { key: canaries.protectedSettings } } }],
            },
          },
        },
      },
    },
  },
  testClusters: {
    aks: {
      body: {
        tags: { team },
        properties: {
          dnsPrefix: "aks",
          windowsProfile: { adminUsername: "capi", adminPassword: canaries.windowsPassword },
          servicePrincipalProfile: { clientId: "c", secret: canaries.servicePrincipal },
        },
      },
    },
  },
});

describe("a secret turns up nowhere", () => {
  it("of an identity and of what lies beside it, while a cluster is made, fails, drifts and goes", async () => {
    const world = createWorld({ latency: 2_000 });
    applyDefaultCluster(world);
    const { clientSecret, bootstrap, sshPrivateKey, proxyCredentials } = canaries;
    world.objects.putSecret("default", "sp-secret", {
      clientSecret,
      value: bootstrap,
      sshPrivateKey,
      proxyCredentials,
    });
    const told = ["clientSecret", "bootstrap", "sshPrivateKey", "proxyCredentials"] as const;
    addFaults(world, ...indiscreet(...told));
    const { deps, sent, stored } = watched(world);
    await runBy(world, deps, 90 * minute);
    mutate(world, ids.routeTable, (body) => withTag(body, "Name", "theirs"));
    world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
    await runBy(world, deps, 30 * minute);
    await lookAgain(world);
    world.objects.remove(key);
    addFaults(world, ...indiscreet(...told));
    await runBy(world, deps, 90 * minute);
    expect(sent()).toContain(clientSecret);
    expect(JSON.stringify([...everythingSaid(world)])).toContain("***");
    expect(leaks(new Map([...everythingSaid(world), ["stored meanwhile", stored()]]))).toEqual([]);
  });

  it("of a certificate that nothing can be done with", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    world.objects.edit({ kind: "AzureClusterIdentity", namespace: "default", name: "sp" }, (object) => ({
      ...object,
      spec: { ...object.spec, type: "ServicePrincipalCertificate" },
    }));
    const { certificate, certificatePassword: password } = canaries;
    world.objects.putSecret("default", "sp-secret", { certificate, password });
    const { azure } = world.deps;
    const message = echoOf(["certificate", "certificatePassword"]);
    const deps: Deps = {
      ...world.deps,
      azure: {
        connect: (credential) =>
          credential.kind === "certificate"
            ? Promise.resolve({ ok: false, error: { kind: "auth", code: "CredentialUnusable", message } })
            : azure.connect(credential),
      },
    };
    await runBy(world, deps, 10 * minute);
    const said = everythingSaid(world);
    expect(said.get("objects")).toContain("CredentialUnusable");
    expect(leaks(said)).toEqual([]);
  });

  it("of a body's secret leaves: made, refused, failed, changed, drifted, put at rest and deleted", async () => {
    const world = createWorld({ latency: 2_000 }, testKinds);
    const thing = applyTestThing(world, wishes("blue"));
    const told = [
      "adminPassword",
      "userData",
      "bootstrap",
      "protectedSettings",
      "windowsPassword",
      "servicePrincipal",
    ] as const;
    addFaults(world, ...indiscreet(...told));
    const { deps, sent, stored } = watched(world);
    await runBy(world, deps, 90 * minute);
    applyTestThing(world, wishes("red"));
    await runBy(world, deps, 90 * minute);
    world.objects.remove(thing);
    addFaults(world, ...indiscreet(...told));
    await runBy(world, deps, 90 * minute);
    for (const name of told.filter((one) => one !== "bootstrap"))
      expect(sent()).toContain(JSON.stringify(canaries[name]).slice(1, -1));
    expect(stored()).toContain('"intent"');
    expect(leaks(new Map([...everythingSaid(world), ["stored meanwhile", stored()]]))).toEqual([]);
  });

  it("of an exception's message, nor of its stack", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    world.objects.putSecret("default", "sp-secret", { clientSecret: canaries.clientSecret });
    const broken = new Map(
      [...kinds].map(([name, kind]) => [
        name,
        {
          ...kind,
          read: (input: Parameters<typeof kind.read>[0]) => ({
            ...kind.read(input),
            plan: (): never => {
              throw new Error(`cannot read ${canaries.clientSecret} of undefined`);
            },
          }),
        },
      ]),
    );
    await runBy(world, { ...world.deps, kinds: broken }, minute);
    expect(everythingSaid(world).get("queue failed")).toContain("cannot read *** of undefined");
    expect(leaks(everythingSaid(world))).toEqual([]);
  });

  it("of what the API server echoes", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    world.objects.putSecret("default", "sp-secret", { clientSecret: canaries.clientSecret });
    let reads = 0;
    world.faults.kube = (call) => {
      reads += 1;
      const message = `cannot be applied: ${canaries.clientSecret}`;
      return call === "write" && reads % 2 === 0 ? { kind: "transient", code: "ServerTimeout", message } : undefined;
    };
    await world.run(10 * minute);
    expect(leaks(everythingSaid(world))).toEqual([]);
  });
});
