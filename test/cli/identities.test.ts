import { describe, expect, it } from "vitest";
import { quickstart } from "../../src/cli/demoOptions.ts";
import { missingIdentities } from "../../src/cli/identities.ts";
import { type ManifestObject, parseManifest, readManifest } from "../../src/cli/manifest.ts";

const group = "infrastructure.cluster.x-k8s.io/v1beta1";
const cluster = (identityRef: string): string =>
  `apiVersion: ${group}\nkind: AzureCluster\nmetadata: { name: c, namespace: team }\nspec: { identityRef: ${identityRef} }\n`;
const identity = `apiVersion: ${group}\nkind: AzureClusterIdentity\nmetadata: { name: id, namespace: team }\nspec: { clientSecret: { name: s } }\n`;
const secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: s, namespace: team }\n";
const template = `apiVersion: ${group}\nkind: AzureClusterTemplate\nmetadata: { name: t }\nspec: { template: { spec: { identityRef: { name: id } } } }\n`;

const added = (...texts: readonly string[]): readonly string[] =>
  missingIdentities(parseManifest(texts.join("---\n"), "f")).map(({ name }) => name);

describe("missingIdentities", () => {
  it.each([
    { when: "nothing is used", texts: [secret], adds: [] },
    { when: "the identity is missing", texts: [cluster("{ name: id }")], adds: ["AzureClusterIdentity team/id"] },
    {
      when: "it is missing in the namespace that is named",
      texts: [cluster("{ name: id, namespace: other }"), identity, secret],
      adds: ["AzureClusterIdentity other/id"],
    },
    { when: "only its secret is missing", texts: [cluster("{ name: id }"), identity], adds: ["Secret team/s"] },
    { when: "all is there", texts: [cluster("{ name: id }"), identity, secret], adds: [] },
    { when: "a template names it", texts: [template], adds: ["AzureClusterIdentity default/id"] },
    {
      when: "two objects name the same",
      texts: [cluster("{ name: id }"), cluster("{ name: id }")],
      adds: ["AzureClusterIdentity team/id"],
    },
  ])("adds $adds when $when", ({ texts, adds }) => expect(added(...texts)).toEqual(adds));

  it("makes an identity that needs nothing further", () => {
    const before = parseManifest(cluster("{ name: id }"), "f");
    const bodies = missingIdentities(before).flatMap((addition) => addition.bodies);
    const after: readonly ManifestObject[] = [
      ...before,
      ...parseManifest(bodies.map((body) => JSON.stringify(body)).join("\n---\n"), "f"),
    ];
    expect(missingIdentities(after)).toEqual([]);
    expect(after.map(({ kind }) => kind).toSorted()).toEqual(["AzureCluster", "AzureClusterIdentity", "Secret"]);
  });

  it("finds all in the quickstart", async () =>
    expect(missingIdentities(await readManifest(quickstart, {}))).toEqual([]));
});
