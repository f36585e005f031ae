import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { kindEntry } from "../../src/api/registry.ts";
import { dependencyTable } from "../../src/core/dependencyTable.ts";
import { readConfig } from "../../src/watcher/readConfig.ts";
import { watchedKinds } from "../../src/watcher/watchedKinds.ts";

const text = (file: string): string => readFileSync(join(import.meta.dirname, "../../infra/cluster", file), "utf8");

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

describe("the watcher's role", () => {
  const role = parseAllDocuments(text("rbac.yaml"))
    .map((document): unknown => document.toJS())
    .find((one) => (one as { readonly kind: string }).kind === "ClusterRole");
  const { rules } = role as { readonly rules: readonly Rule[] };
  it("lets it read just the kinds that it may watch", () => {
    const granted = rules.flatMap(({ apiGroups, resources, verbs, resourceNames }) =>
      resourceNames === undefined ? resources.map((one) => `${apiGroups.join()}/${one} ${verbs.join(" ")}`) : [],
    );
    const needed = watchedKinds(Object.keys(dependencyTable)).map((kind) => {
      const entry = kindEntry(kind);
      return `${entry?.group}/${entry?.plural} get list watch`;
    });
    expect(granted.toSorted()).toEqual(needed.toSorted());
  });
  it("grants nothing of the core group but to know the cluster", () => {
    expect(rules.filter(({ apiGroups }) => apiGroups.includes(""))).toEqual([
      { apiGroups: [""], resources: ["namespaces"], resourceNames: ["kube-system"], verbs: ["get"] },
    ]);
  });
});

describe("the watcher's deployment", () => {
  const deployment = parse(text("watcher.yaml")) as {
    readonly spec: {
      readonly template: {
        readonly spec: {
          readonly containers: readonly [
            { readonly env: readonly { readonly name: string; readonly value: string }[] },
          ];
        };
      };
    };
  };
  it("has settings with which the watcher starts in a pod", () => {
    const [{ env }] = deployment.spec.template.spec.containers;
    const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    expect(readConfig({ KUBERNETES_SERVICE_HOST: "10.0.0.1", ...given })).toMatchObject({
      ok: true,
      value: { health: { host: "0.0.0.0", port: 8080 } },
    });
  });
});
