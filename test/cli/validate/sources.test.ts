import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { azureCluster, found, validated } from "./validating.ts";

const folder = mkdtempSync(join(tmpdir(), "capstan-sources-"));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);
const wrong = azureCluster("  controlPlaneEnabled: 1");

mkdirSync(at("tree/inner"), { recursive: true });
mkdirSync(at("empty"));
writeFileSync(at("tree/b.yaml"), wrong);
writeFileSync(at("tree/a.yml"), "# nothing\n");
writeFileSync(at("tree/c.json"), JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }));
writeFileSync(at("tree/notes.txt"), "not a manifest");
writeFileSync(at("tree/inner/d.yaml"), wrong.replace("name: demo", "name: inner"));
writeFileSync(at("plain.txt"), wrong);

describe("the files", () => {
  it.each([
    { what: "a file of any name", files: ["plain.txt"], problems: 1, notes: "1 file, 1 object" },
    { what: "a file twice", files: ["plain.txt", "plain.txt"], problems: 1, notes: "1 file, 1 object" },
    { what: "a folder", files: ["tree"], problems: 1, notes: "3 files, 1 object of ours checked, 1 of others" },
    { what: "a folder and those in it", files: ["tree"], recursive: true, problems: 2, notes: "4 files, 2 objects" },
  ])("are $what", async ({ files, recursive = false, problems, notes }) => {
    const said = await validated(files.map(at), { recursive });
    expect(said).toMatchObject({ status: 1, notes: [expect.stringContaining(notes)] });
    expect(said.lines).toHaveLength(problems);
  });

  it.each([
    { file: "none.yaml", says: "none.yaml: no such file or folder" },
    { file: "empty", says: "empty: holds no .json, .yaml or .yml file" },
  ])("end it with 2 when one cannot be read, and the others are checked: $file", async ({ file, says }) => {
    const said = await validated([at(file), at("tree")]);
    expect(said).toMatchObject({ status: 2, notes: [`error: ${at(says)}`, expect.stringContaining("3 files")] });
    expect(said.lines).toHaveLength(1);
    expect(await validated([at("tree/c.json")], { against: [at(file)] })).toMatchObject({ status: 2 });
  });

  it("of a folder are checked though one of them cannot be read", async () => {
    mkdirSync(at("mixed"));
    writeFileSync(at("mixed/b.yaml"), wrong);
    symlinkSync(at("gone"), at("mixed/a.yaml"));
    symlinkSync(at("mixed/c.yaml"), at("mixed/c.yaml"));
    const said = await validated([at("mixed")]);
    expect(said.status).toBe(2);
    expect(said.lines).toEqual([expect.stringContaining("mixed/b.yaml:")]);
    expect(said.notes).toEqual([
      `error: ${at("mixed/a.yaml")}: no such file or folder`,
      `error: ${at("mixed/c.yaml")}: cannot be read: ELOOP`,
      expect.stringContaining("1 file, 1 object"),
    ]);
  });

  it("are text in UTF-8", async () => {
    writeFileSync(at("latin1.yaml"), azureCluster("  resourceGroup: caf\u00e9"), "latin1");
    const said = await validated([at("latin1.yaml")]);
    const sentence = `error: ${at("latin1.yaml")}: not text in UTF-8, as YAML and JSON have to be`;
    expect(said).toMatchObject({ status: 2, lines: [], notes: [sentence, expect.stringContaining("0 files")] });
  });

  it("come in the order in which they were named", async () => {
    const { lines } = await validated([at("tree/inner/d.yaml"), at("plain.txt"), at("tree/b.yaml")]);
    expect(lines.map((line) => line.split(":")[0])).toEqual(
      [at("tree/inner/d.yaml"), at("plain.txt"), at("tree/b.yaml"), at("tree/b.yaml")].toSpliced(
        3,
        1,
        at("tree/b.yaml"),
      ),
    );
  });
});

describe("variables", () => {
  const variable = (inside: string): string => ["$", "{", inside, "}"].join("");
  const template = azureCluster(
    `  resourceGroup: ${variable("GROUP")}\n  additionalTags: { a: "${variable("TAG:=none")}" }`,
  );
  writeFileSync(at("variables.yaml"), "GROUP: from-file\nNUMBER: 017\n");
  const refused = azureCluster(`  controlPlaneEnabled: ${variable("GROUP")}`);
  const said = async (asked: Parameters<typeof validated>[1]): Promise<string> =>
    (await validated(refused, asked)).lines.join("\n");

  it("come from --set before the file before the environment", async () => {
    const env = { GROUP: "from-env" };
    expect(await said({ env })).toContain('"from-env"');
    expect(await said({ env, variables: at("variables.yaml") })).toContain('"from-file"');
    expect(await said({ env, variables: at("variables.yaml"), set: ["GROUP=from=set"] })).toContain('"from=set"');
    expect(await said({ variables: at("variables.yaml"), set: [] })).toContain('"from-file"');
  });

  it("are reported once each, with their line, and nothing is said of what they leave open", async () => {
    const text = template.replaceAll("westeurope", variable("GROUP"));
    const one = await validated(text);
    expect(one.status).toBe(1);
    expect(found(one)).toEqual(["5: no value for the variable GROUP: give one in the environment or by --set GROUP=…"]);
    expect(found(await validated(refused))).toEqual([expect.stringContaining("no value for the variable GROUP")]);
    expect(found(await validated(`${azureCluster()}# ${variable("constructor")}\n`))).toEqual([
      expect.stringContaining("no value for the variable constructor"),
    ]);
  });

  it("are text with --no-fill", async () => {
    expect(await validated(template, { fill: false })).toMatchObject({
      lines: [expect.stringContaining("spec.resourceGroup")],
    });
    expect(
      await validated(azureCluster(`  additionalTags: { a: "${variable("X/y")}" }`), { fill: false }),
    ).toMatchObject({ status: 0, lines: [] });
  });

  it.each([
    { what: "no assignment", asked: { set: ["NAME"] }, says: "--set NAME: must be NAME=VALUE" },
    { what: "no file", asked: { variables: at("none.yaml") }, says: "none.yaml: no such file" },
    {
      what: "no map of texts",
      asked: { variables: at("tree/b.yaml") },
      says: "must be YAML of lines such as NAME: value",
    },
    { what: "no YAML", asked: { variables: at("broken.yaml") }, says: "must be YAML of lines such as NAME: value" },
  ])("fail for $what", async ({ asked, says }) => {
    writeFileSync(at("broken.yaml"), "a: 'secret\n");
    await expect(validated(template, asked)).rejects.toMatchObject({
      status: 2,
      message: expect.stringContaining(says),
    });
  });
});
