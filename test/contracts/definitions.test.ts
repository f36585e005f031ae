import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { policies } from "../../src/api/policies/index.ts";
import { infrastructureKinds } from "../../src/api/registry.ts";
import { crds } from "../../src/cli/crds.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { startControlPlane } from "../../src/sim/controlPlane/startControlPlane.ts";
import { installProvider } from "../../src/sim/stack/installProvider.ts";
import { apply, create, patchStatus, remove, storedIn } from "../support/apiObjects.ts";
import { type ContractTemplate, contractTemplates } from "../support/contractTemplates.ts";
import { eventually } from "../support/e2e/eventually.ts";
import { printedObjects } from "../support/printedObjects.ts";
import { describeWithShared } from "../support/shared.ts";

let controlPlane: ControlPlane;
beforeAll(async () => {
  controlPlane = await startControlPlane({ clusterApi: true });
  await installProvider(controlPlane);
});
afterAll(() => controlPlane?.stop());

interface Definition {
  readonly spec: { readonly names: { readonly kind: string } };
  readonly status: { readonly conditions: readonly { readonly type: string; readonly status: string }[] };
}

interface PolicyObject {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status?: { readonly observedGeneration?: number; readonly typeChecking?: object };
}

const listed = async <T>(resource: string): Promise<readonly T[]> => {
  const selector = "-l=cluster.x-k8s.io/provider=infrastructure-azure";
  const text = await controlPlane.kubectl(["get", resource, selector, "-o", "json"]);
  // The one cast: the API server's own form.
  return (JSON.parse(text) as { readonly items: readonly T[] }).items;
};

describe("the committed files", () => {
  it("install, and the API server finds nothing wrong with a definition", async () => {
    const definitions = await listed<Definition>("customresourcedefinitions");
    expect(definitions.map(({ spec }) => spec.names.kind).toSorted()).toEqual(
      infrastructureKinds.map(({ kind }) => kind).toSorted(),
    );
    for (const { spec, status } of definitions)
      expect(
        status.conditions.map(({ type, status: is }) => `${type} ${is}`),
        spec.names.kind,
      ).toEqual(["NamesAccepted True", "Established True"]);
  });

  it("hold policies whose expressions fit the kinds they are asked about", async () => {
    const checked = await eventually("all are checked", async () => {
      const all = await listed<PolicyObject>("validatingadmissionpolicies");
      return all.every(({ metadata, status }) => status?.observedGeneration === metadata.generation) && all;
    });
    expect(checked.map(({ metadata, status }) => ({ [metadata.name]: status?.typeChecking ?? {} }))).toEqual(
      policies
        .map(({ name }) => ({ [`${name}.infrastructure.cluster.x-k8s.io`]: {} }))
        .toSorted((a, b) => (Object.keys(a)[0]! < Object.keys(b)[0]! ? -1 : 1)),
    );
  });

  it("are what `capstan crds | kubectl apply -f -` applies, from either side and without a warning", async () => {
    const printed: string[] = [];
    await crds({ check: false }, (line) => printed.push(line));
    for (const options of [[], ["--server-side", "--force-conflicts"]]) {
      const said = await controlPlane.kubectl(["apply", "--warnings-as-errors", ...options, "-f", "-"], printed.join());
      expect(said.trim().split("\n").length).toBe(infrastructureKinds.length + 4 + 2 * policies.length);
    }
  });
});

/** What Cluster API says of its own older versions. */
const isAboutClusterApi = (warning: string): boolean =>
  /^[a-z.]*cluster\.x-k8s\.io\/v1beta1 \w+ is deprecated; use /.test(warning) &&
  !warning.startsWith("infrastructure.cluster.x-k8s.io");

describeWithShared("upstream's templates", () => {
  const judged = async (
    { objects }: ContractTemplate,
    send: (object: ContractTemplate["objects"][number]) => ReturnType<typeof create>,
  ) => {
    const findings: string[] = [];
    for (const object of objects) {
      const { status, body, warnings } = await send(object);
      const problems = [...(status >= 300 ? [body] : []), ...warnings.filter((warning) => !isAboutClusterApi(warning))];
      findings.push(...problems.map((problem) => `${object.kind} ${object.name}: ${problem}`));
    }
    return findings;
  };

  describe.each(contractTemplates())("$name", (template) => {
    it("are created without an error or a warning, unknown fields refused", async () =>
      expect(
        await judged(template, async (object) => {
          const answer = await create(controlPlane.api, object, { dryRun: true });
          // Cluster API looks for a class before a cluster may use it, and a dry run leaves none.
          const warnings = answer.warnings.filter((warning) => !/this ClusterClass does not exist/.test(warning));
          return { ...answer, warnings };
        }),
      ).toEqual([]));

    it("are applied by server-side apply without an error or a warning", async () =>
      expect(await judged(template, (object) => apply(controlPlane.api, object, "kubectl"))).toEqual([]));
  });
});

/** What a person reads, in one line. */
const words = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

interface DescribedSchema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
}

const schemaOf = async (plural: string): Promise<DescribedSchema> => {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.infrastructure.cluster.x-k8s.io`;
  // The one cast: the API server's own form.
  const spec = storedIn(await controlPlane.api.send({ path }))["spec"] as {
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: DescribedSchema } }[];
  };
  return spec.versions[0]!.schema.openAPIV3Schema;
};

describe.each(infrastructureKinds)("kubectl explain of $kind", ({ kind, plural }) => {
  it("prints our sentences about it and the fields of its spec and status", async () => {
    const { description = "nothing", properties } = await schemaOf(plural);
    const said = words(await controlPlane.kubectl(["explain", plural]));
    expect(said).toContain(`KIND: ${kind} VERSION: v1beta1 DESCRIPTION: ${words(description)} FIELDS:`);
    for (const half of ["spec", "status"] as const) {
      const fields = Object.entries(properties?.[half]?.properties ?? {});
      if (fields.length === 0) continue;
      const halfSaid = words(await controlPlane.kubectl(["explain", `${plural}.${half}`]));
      for (const [name, field] of fields) {
        const at = halfSaid.indexOf(` ${name} <`);
        expect(at, name).toBeGreaterThan(0);
        expect(halfSaid.slice(at), name).toContain(words(field.description ?? ""));
      }
    }
  });
});

describe.each(printedObjects)("kubectl get of $object.kind", ({ object, status, columns }) => {
  it("prints the contract's columns", async () => {
    storedIn(await create(controlPlane.api, object));
    if (Object.keys(status).length > 0) storedIn(await patchStatus(controlPlane.api, object, status));
    try {
      const text = await controlPlane.kubectl(["get", object.kind, object.name, "-o", "wide"]);
      const [header = [], row = []] = text.split("\n").map((line) => line.trim().split(/\s{2,}/));
      const shown = Object.fromEntries(header.map((name, index) => [name, row[index]]));
      expect(shown).toEqual({ NAME: object.name, ...columns, AGE: expect.stringMatching(/^\d+[smh]/) });
    } finally {
      await remove(controlPlane.api, object);
    }
  });
});

it("every kind is known by its short names and in the category of Cluster API", async () => {
  const said = await controlPlane.kubectl(["api-resources", "--api-group=infrastructure.cluster.x-k8s.io", "-o=name"]);
  expect(said.trim().split("\n").length).toBe(infrastructureKinds.length);
  const shorts = ["amp", "ampm", "amc", "amcp", "ammp", "amct", "amcpt", "ammpt"];
  await controlPlane.kubectl(["get", shorts.join(",")]);
  await controlPlane.kubectl(["get", "cluster-api", "-A"]);
});
