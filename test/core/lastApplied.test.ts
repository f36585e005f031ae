import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { resourceId } from "../../src/core/ids.ts";
import { damagedAnnotations, formerlyApplied, lastAppliedText, type Tracked } from "../../src/core/lastApplied.ts";
import { ownerTag } from "../../src/core/ownership.ts";
import type { LastApplied } from "../../src/core/service.ts";
import type { AppliedLeaf, Desired, JsonObject } from "../../src/core/types.ts";

const rules: LastApplied = { annotation: "security-rules", holds: "securityRules" };
const tags: LastApplied = { annotation: "tags-rg", holds: "tags" };
const rulesName = "sigs.k8s.io/cluster-api-provider-azure-last-applied-security-rules";
const tagsName = "sigs.k8s.io/cluster-api-provider-azure-last-applied-tags-rg";
const id = resourceId("s", "g", "Microsoft.Network/networkSecurityGroups", "nsg");

const group = (names: readonly string[], byDefault: readonly string[] = []): Desired => ({
  id,
  body: {
    properties: {
      securityRules: [...names, ...byDefault].map((name) => ({ name, properties: { description: `is ${name}` } })),
    },
  },
  defaults: byDefault.map((name) => ["properties", "securityRules", name]),
});
const tagged = (wanted: JsonObject): Desired => ({
  id,
  body: { tags: { ...wanted, [ownerTag("c1")]: "owned", Name: "g" } },
  defaults: [["tags", "Name"]],
});
const appliedRule = (name: string): AppliedLeaf => ({
  path: ["properties", "securityRules", name, "name"],
  value: name,
  mark: "asked",
});
const appliedText = (name: string, text = `is ${name}`): AppliedLeaf => ({
  path: ["properties", "securityRules", name, "properties", "description"],
  value: text,
  mark: "asked",
});
const appliedTag = (name: string): AppliedLeaf => ({ path: ["tags", name], value: "x", mark: "asked" });
const of = (desired: Desired, applied: readonly AppliedLeaf[] = [], done = true): Tracked => ({
  desired,
  applied,
  done,
});

describe("what was applied once", () => {
  it.each([
    { when: "a rule left the spec", text: '{"nsg":{"old":"was","web":"is"}}', gone: ["old"] },
    { when: "the group is spelled otherwise", text: '{"NSG":{"old":"was"}}', gone: ["old"] },
    { when: "a rule is spelled otherwise", text: '{"nsg":{"WEB":"is"}}', gone: [] },
    { when: "it is of another group", text: '{"other":{"old":"was"}}', gone: [] },
    { when: "it is no JSON", text: '{"nsg":', gone: [] },
    { when: "it is of another form", text: '{"nsg":["old"]}', gone: [] },
    { when: "there is none", text: undefined, gone: [] },
  ])("rules: $when", ({ text, gone }) =>
    expect(formerlyApplied(rules, text === undefined ? {} : { [rulesName]: text }, group(["web"]))).toEqual(
      gone.map(appliedRule),
    ),
  );

  it.each([
    { when: "a tag left the spec", text: '{"env":"dev","team":"x"}', gone: ["team"] },
    { when: "an owner tag stands there", text: `{"${ownerTag("other")}":"owned"}`, gone: [] },
    { when: "a tag that we set by default stands there", text: '{"Name":"g"}', gone: [] },
    { when: "a value is no text", text: '{"team":1}', gone: [] },
    { when: "it is a list", text: '["team"]', gone: [] },
  ])("tags: $when", ({ text, gone }) =>
    expect(formerlyApplied(tags, { [tagsName]: text }, tagged({ env: "dev" }))).toEqual(gone.map(appliedTag)),
  );

  it("is nothing for a service without such an annotation", () =>
    expect(formerlyApplied(undefined, { [rulesName]: '{"nsg":{"old":""}}' }, group([]))).toEqual([]));

  it("damaged annotations are told apart from missing ones", () => {
    expect(damagedAnnotations([rules, tags], { [rulesName]: "{" })).toEqual([rulesName]);
    expect(damagedAnnotations([rules, tags], { [rulesName]: "{}" })).toEqual([]);
  });
});

describe("the annotation afterwards", () => {
  const ours = ["web", "allow_ssh"].flatMap((name) => [appliedRule(name), appliedText(name)]);
  it.each([
    {
      when: "a rule was asked for and applied",
      text: undefined,
      tracked: of(group(["web"]), ours),
      next: '{"nsg":{"web":"is web"}}',
    },
    { when: "a rule is not applied yet", text: undefined, tracked: of(group(["web"]), [], false), next: undefined },
    {
      when: "there are only rules of our own",
      text: undefined,
      tracked: of(group([], ["allow_ssh"]), ours),
      next: undefined,
    },
    {
      when: "upstream tells of a rule that is ours by default",
      text: '{"nsg":{"allow_ssh":"is allow_ssh"}}',
      tracked: of(group([], ["allow_ssh"]), ours),
      next: undefined,
    },
    {
      when: "a rule that left the spec is gone",
      text: '{"nsg":{"old":"was","web":"is web"}}',
      tracked: of(group(["web"]), ours),
      next: '{"nsg":{"web":"is web"}}',
    },
    {
      when: "a rule that left the spec is not gone yet",
      text: '{"nsg":{"old":"was"}}',
      tracked: of(group(["web"]), ours, false),
      next: '{"nsg":{"old":"was","web":"is web"}}',
    },
    { when: "the last rule is gone", text: '{"nsg":{"old":"was"}}', tracked: of(group([])), next: "{}" },
    {
      when: "it says the same in another order",
      text: '{"nsg": {"web": "is web", "a": "is a"}}',
      tracked: of(group(["a", "web"]), [...ours, appliedRule("a"), appliedText("a")]),
      next: undefined,
    },
    {
      when: "another text is wanted than is applied",
      text: '{"nsg":{"web":"before"}}',
      tracked: of(group(["web"]), [appliedRule("web"), appliedText("web", "applied")], false),
      next: '{"nsg":{"web":"applied"}}',
    },
    { when: "it is damaged and there is nothing to say", text: "{", tracked: of(group([])), next: undefined },
  ])("rules: $when", ({ text, tracked, next }) =>
    expect(lastAppliedText(rules, text === undefined ? {} : { [rulesName]: text }, [tracked])).toEqual(
      next === undefined ? {} : { [rulesName]: next },
    ),
  );

  it("changes only with what is applied, whatever is wanted, so that wishes never write to the object", () => {
    const wish = (text: string): Desired => ({
      ...group(["web"]),
      body: { properties: { securityRules: [{ name: "web", properties: { description: text } }] } },
    });
    fc.assert(
      fc.property(
        fc.array(fc.string(), { minLength: 1 }),
        fc.string({ minLength: 1 }),
        fc.boolean(),
        (wishes, text, done) => {
          const applied = [appliedRule("web"), appliedText("web", text)];
          let annotations: Readonly<Record<string, string>> = {};
          let writes = 0;
          for (const wanted of wishes) {
            const next = lastAppliedText(rules, annotations, [of(wish(wanted), applied, done)]);
            writes += Object.keys(next).length;
            annotations = { ...annotations, ...next };
          }
          expect(writes).toBe(1);
          expect(JSON.parse(annotations[rulesName] ?? "")).toEqual({ nsg: { web: text } });
        },
      ),
    );
  });

  it("tags: those of the user, without ours", () =>
    expect(
      lastAppliedText(tags, { [tagsName]: '{"team":"x"}' }, [
        of(tagged({ env: "dev" }), [
          { ...appliedTag("env"), value: "dev" },
          appliedTag(ownerTag("c1")),
          appliedTag("Name"),
        ]),
      ]),
    ).toEqual({ [tagsName]: '{"env":"dev"}' }));

  it("tags: one group that still has a removed tag keeps it there", () =>
    expect(lastAppliedText(tags, { [tagsName]: '{"team":"x"}' }, [of(tagged({})), of(tagged({}), [], false)])).toEqual(
      {},
    ));

  it("stays when nothing of the service is ours", () =>
    expect(lastAppliedText(rules, { [rulesName]: '{"nsg":{"web":""}}' }, [])).toEqual({}));
});
