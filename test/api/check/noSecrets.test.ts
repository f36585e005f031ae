import { describe, expect, it } from "vitest";
import { checkedKind } from "../../../src/api/check/checkedKind.ts";
import { checkObject } from "../../../src/api/check/checkObject.ts";
import { inWords } from "../../../src/api/check/inWords.ts";
import type { SchemaNode } from "../../../src/api/check/schemaNode.ts";
import { parseAzureClusterIdentity } from "../../../src/api/cluster/azureClusterIdentity.ts";
import { apiVersionOf, infrastructureKinds } from "../../../src/api/registry.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import { anObject } from "../../kinds/aCluster.ts";

type Steps = readonly (string | number)[];

/** Every place that a schema has, with a free key in each free map. */
const placesIn = (node: SchemaNode, at: Steps): readonly Steps[] => [
  at,
  ...[...node.properties].flatMap(([name, inner]) => placesIn(inner, [...at, name])),
  ...(node.values === undefined ? [] : placesIn(node.values, [...at, "free"])),
  ...(node.items === undefined ? [] : placesIn(node.items, [...at, 0])),
];

const around = (steps: Steps, value: Json): Json =>
  steps.reduceRight<Json>((inner, step) => (typeof step === "number" ? [inner] : { [step]: inner }), value);

const messagesOf = (kind: string, object: JsonObject): readonly string[] =>
  checkObject(kind, object).flatMap((finding) => [inWords(finding), JSON.stringify(finding.value ?? "")]);

const secretPlaces = /clientSecret|protectedSettings|sshPublicKey|Patches/;

describe.each(infrastructureKinds)("what is found in $kind", (entry) => {
  const { kind } = entry;
  const places = placesIn(checkedKind(kind)!.root.properties.get("spec")!, ["spec"]);
  const found = (steps: Steps, value: Json): readonly string[] =>
    messagesOf(kind, {
      apiVersion: apiVersionOf(entry),
      kind,
      metadata: { name: "it" },
      ...(around(steps, value) as JsonObject),
    });

  it("never shows an address with a password, a signed link or a key, wherever they stand", () => {
    const secrets = ["http://user:hush@proxy", "https://a/?sig=hush", "-----BEGIN PRIVATE KEY-----\nhush"];
    const telling = places.flatMap((steps) => secrets.flatMap((secret) => found(steps, secret)));
    expect(telling.length).toBeGreaterThan(0);
    expect(telling.filter((message) => message.includes("hush"))).toEqual([]);
  });

  it("never shows what stands in the place of a secret, of whatever type", () => {
    const values: readonly Json[] = [
      "hush",
      424_242,
      ["hush"],
      [424_242],
      { a: "hush" },
      { a: ["hush"] },
      { a: 424_242 },
    ];
    const telling = places
      .filter((steps) => secretPlaces.test(steps.join(".")) && !/\.name(space)?$/.test(steps.join(".")))
      .flatMap((steps) => values.flatMap((value) => found(steps, value)));
    expect(telling.filter((message) => /hush|424242/.test(message))).toEqual([]);
  });
});

it("parses an identity without telling its secret", () => {
  const values: readonly Json[] = ["hush", 424_242, ["hush"], { name: 424_242 }, { name: ["hush"] }];
  for (const clientSecret of values) {
    const spec = { type: "ServicePrincipal", clientID: "a", tenantID: "b", clientSecret };
    const parsed = parseAzureClusterIdentity(anObject("AzureClusterIdentity", { spec }));
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toMatch(/hush|424242/);
  }
});
