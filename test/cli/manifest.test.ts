import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asCreated, asDocuments, parseManifest, readManifest } from "../../src/cli/manifest.ts";

const object = (kind: string, name: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata: { name: ${name} }\n`;

const nine = (text: string): string => Array<string>(9).fill(text).join();

describe("parseManifest", () => {
  it("reads documents and lists, and skips empty ones", () => {
    const list = `apiVersion: v1\nkind: List\nitems:\n- { apiVersion: v1, kind: Secret, metadata: { name: c, namespace: n } }\n`;
    const text = `${object("ConfigMap", "a")}---\n# nothing\n---\n${object("Secret", "b")}---\n${list}`;
    expect(parseManifest(text, "f").map(({ kind, namespace, name }) => `${kind} ${namespace}/${name}`)).toEqual([
      "ConfigMap default/a",
      "Secret default/b",
      "Secret n/c",
    ]);
  });

  it.each([
    { what: "broken YAML", text: `${object("A", "a")}---\na: [1\n`, says: /^f:[67]: not YAML: / },
    { what: "tabs", text: "a:\n\tb: 1\n", says: /^f:2: not YAML: / },
    { what: "a scalar", text: `${object("A", "a")}---\njust text\n`, says: "f:5: not a Kubernetes object" },
    {
      what: "an object without a name",
      text: "kind: A\napiVersion: v1\n",
      says: "f:1: the object has no metadata.name",
    },
    {
      what: "an alias of nothing",
      text: `${object("A", "a")}---\na: *b\n`,
      says: /^f:5: not YAML that JSON can say: .*b$/,
    },
    { what: "an alias of itself", text: "a: &a { b: *a }\n", says: /^f:1: not YAML that JSON can say: / },
    {
      what: "aliases that multiply",
      text: ["a: &a [x]", ..."bcdef".split("").map((it, n) => `${it}: &${it} [${nine(`*${"abcde"[n]}`)}]`)].join("\n"),
      says: /^f:1: not YAML that JSON can say: /,
    },
    { what: "an object of no kind", text: "metadata: { name: a }\n", says: "f:1: the object has no apiVersion, kind" },
  ])("says where $what is", ({ text, says }) => expect(() => parseManifest(text, "f")).toThrow(says));
});

describe("asDocuments", () => {
  it("keeps texts that YAML would turn into something else", () => {
    const [one] = parseManifest(`${object("ConfigMap", "a")}data: { a: "yes", b: 'on', c: "1_000", d: "~" }\n`, "f");
    const documents = asDocuments([one!.body, one!.body]).split("\n---\n");
    expect(documents.map((text) => JSON.parse(text))).toEqual([one!.body, one!.body]);
    expect(one!.body["data"]).toEqual({ a: "yes", b: "on", c: "1_000", d: "~" });
  });

  it("has merge keys resolved", () => {
    const [one] = parseManifest(`${object("ConfigMap", "a")}x: &x { k: v }\ndata: { <<: *x, l: w }\n`, "f");
    expect(one!.body["data"]).toEqual({ k: "v", l: "w" });
  });
});

describe("readManifest", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "capstan-manifest-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    { what: "no file", name: "none.yaml", text: undefined, says: "none.yaml: no such file" },
    { what: "a folder", name: ".", text: undefined, says: "cannot be read: EISDIR" },
    { what: "an empty file", name: "empty.yaml", text: "# nothing\n", says: "empty.yaml: holds no object" },
    {
      what: "variables without values",
      name: "v.yaml",
      text: ["a: $", "{A}"].join(""),
      says: "v.yaml: no value for A",
    },
  ])("fails for $what", async ({ name, text, says }) => {
    if (text !== undefined) await writeFile(join(folder, name), text);
    await expect(readManifest(join(folder, name), {})).rejects.toThrow(says);
  });

  it("fills variables before it reads", async () => {
    const file = join(folder, "filled.yaml");
    await writeFile(file, object("ConfigMap", ["$", "{NAME}"].join("")));
    expect((await readManifest(file, { NAME: "given" })).map(({ name }) => name)).toEqual(["given"]);
  });
});

describe("asCreated", () => {
  it("is the object with what an API server adds", () => {
    const [one] = parseManifest(
      "apiVersion: a/v1\nkind: A\nmetadata: { name: n, labels: { l: x } }\nspec: { s: 1 }\n",
      "f",
    );
    expect(asCreated(one!)).toMatchObject({
      apiVersion: "a/v1",
      kind: "A",
      metadata: { name: "n", namespace: "default", generation: 1, labels: { l: "x" }, ownerReferences: [] },
      spec: { s: 1 },
      status: {},
    });
  });
});
