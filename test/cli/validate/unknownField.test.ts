import { describe, expect, it } from "vitest";
import { checkedKind } from "../../../src/api/check/checkedKind.ts";
import { nearest } from "../../../src/cli/validate/nearest.ts";
import { unknownField } from "../../../src/cli/validate/unknownField.ts";

const wordsFor = (kind: string, path: string): string => unknownField(checkedKind(kind)!.root, path);

describe("a field that is not there", () => {
  it.each([
    { kind: "AzureMachine", path: "spec.vmsize", says: "did you mean vmSize?" },
    {
      kind: "AzureMachine",
      path: "spec.diskSizeGB",
      says: "it belongs at spec.osDisk.diskSizeGB or spec.dataDisks[].diskSizeGB",
    },
    { kind: "AzureMachine", path: "spec.dataDisks[3].nameSufix", says: "did you mean nameSuffix?" },
    { kind: "AzureMachine", path: "speck", says: "did you mean spec?" },
    { kind: "AzureMachine", path: "metadata.annotation", says: "did you mean annotations?" },
    { kind: "AzureMachineTemplate", path: "spec.vmSize", says: "it belongs at spec.template.spec.vmSize" },
    { kind: "AzureCluster", path: "spec.networkSpec.subnets[0].natGateway.ipp", says: "did you mean ip?" },
    { kind: "AzureCluster", path: "spec.a.b[0].c", says: "no such field" },
    { kind: "AzureCluster", path: "spec.ready", says: "no such field" },
  ])("$kind $path: $says", ({ kind, path, says }) => {
    expect(wordsFor(kind, path)).toContain(says);
    if (says === "no such field") expect(wordsFor(kind, path)).toBe(says);
  });
});

describe("nearest", () => {
  it.each([
    { word: "subnet", words: ["subnets", "sub"], is: "subnets" },
    { word: "nmae", words: ["mask", "name"], is: "name" },
    { word: "ROLE", words: ["role"], is: "role" },
    { word: "ab", words: ["xy"], is: undefined },
    { word: "a", words: [], is: undefined },
    { word: "a".repeat(5000), words: ["a"], is: undefined },
  ])("to $word in $words is $is", ({ word, words, is }) => expect(nearest(word, words)).toBe(is));
});
