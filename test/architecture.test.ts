import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

/** Who may import whom. A room may always import itself; a room that is not listed fails the test. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  core: ["wire"],
  wire: [],
  api: ["core"],
  services: ["core", "api", "wire"],
  kinds: ["core", "api", "services"],
  "ports.ts": ["core"],
  "config.ts": ["core"],
  engine: ["core", "api", "wire", "ports.ts"],
  adapters: ["core", "api", "wire", "ports.ts", "config.ts"],
  sim: ["core", "api", "wire", "ports.ts"],
  watcher: ["core", "api", "ports.ts", "config.ts", "adapters"],
  cli: ["core", "api", "services", "kinds", "ports.ts", "config.ts", "engine", "adapters", "sim", "watcher", "wire"],
  functions: ["core", "kinds", "services", "wire", "ports.ts", "config.ts", "engine", "adapters"],
};

/** Packages, and the only files that may name them. Anything else from npm or node: is refused. */
const packages: Readonly<Record<string, RegExp>> = {
  typebox: /^(core|api|adapters|config\.ts|watcher|functions)/,
  "typebox/compile": /^(core|api)\//,
  "typebox/value": /^(core|api|adapters|config\.ts|watcher|functions)/,
  "typebox/system": /^(core|api|adapters|config\.ts|watcher|functions)/,
  "@marcbachmann/cel-js": /^api\/check\//,
  "ipaddr.js": /^(core|api|services|kinds|sim)\//,
  "json-merge-patch": /^core\//,
  "@azure/functions": /^functions\//,
  "@azure/identity": /^adapters\/tokenCredential\.ts$/,
  "node-forge": /^adapters\/pkcs12\.ts$/,
  "@azure/core-auth": /^(adapters\/(credentials|tokenCredential|(arm|serviceBus|tables)[A-Za-z]*)\.ts$|sim\/)/,
  "@azure/core-rest-pipeline": /^(adapters\/(arm[A-Za-z]*|tokenCredential)\.ts$|sim\/)/,
  "@azure/service-bus": /^adapters\/serviceBus[A-Za-z]*\.ts$|^sim\/functionsHost\//,
  "@azure/data-tables": /^adapters\/tables[A-Za-z]*\.ts$/,
  "@kubernetes/client-node": /^adapters\/kube[A-Za-z]*\.ts$/,
  rhea: /^sim\/serviceBus\//,
  "rhea/lib/frames.js": /^sim\/serviceBus\//,
  "rhea/lib/types.js": /^sim\/serviceBus\//,
  croner: /^sim\/functionsHost\//,
  commander: /^cli\//,
  yaml: /^(cli|adapters|sim)\//,
};
const nodeRooms = /^(sim|cli|watcher|adapters|functions)\//;

/** A pure room reads no clock, no environment, no dice and writes no log. */
const pure = new Set(["core", "api", "services", "kinds"]);
const impure = /\b(Date\.now|new Date\(\)|Math\.random|process\.|console\.|setTimeout|fetch\()/;
/** The only files of services/ that another service may import. */
const shared = /^services\/(ids|index|scope|tags|parts\/[a-zA-Z]+)\.ts$/;
/** Generated files: exempt from size and style rules. */
const generated = /^(src\/)?wire\/generated\//;

const repo = join(import.meta.dirname, "..");
const files = ["src", "functions"]
  .filter((top) => existsSync(join(repo, top)))
  .flatMap((top) =>
    readdirSync(join(repo, top), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${top}/${file}`),
  )
  .filter((file) => !generated.test(file));
/** `src/core/ids.ts` becomes `core/ids.ts`; `functions/x.ts` stays. */
const inRoom = (path: string): string => path.replace(/^src\//, "");
const roomOf = (path: string): string => inRoom(path).split("/")[0]!;
const importsOf = (text: string): readonly string[] =>
  [...text.matchAll(/(?:^\s*(?:import|export)\b[^"';]*?from\s+|^\s*import\s+|\bimport\()"([^"]+)"/gm)].map(
    (match) => match[1]!,
  );
const mayName = (name: string, file: string): boolean =>
  name.startsWith("node:") ? nodeRooms.test(file) : (packages[name]?.test(file) ?? false);

/** What runs: words in comments break no rule. */
const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");

describe.each(files)("%s", (file) => {
  const text = readFileSync(join(repo, file), "utf8");
  const code = withoutComments(text);
  const room = roomOf(file);
  const imports = importsOf(text);
  const local = imports.filter((target) => target.startsWith(".")).map((target) => join(dirname(file), target));

  it("imports only what its room may", () => {
    expect(allowed, `room ${room} is not in the import table`).toHaveProperty([room]);
    for (const to of local)
      expect(roomOf(to) === room || allowed[room]!.includes(roomOf(to)), `${file} -> ${to}`).toBe(true);
  });
  it("names only its own packages", () => {
    for (const name of imports.filter((target) => !target.startsWith(".")))
      expect(mayName(name, inRoom(file)), `${file} -> ${name}`).toBe(true);
  });
  if (room === "services" && !shared.test(inRoom(file))) {
    it("does not know its neighbours", () => {
      for (const to of local.map(inRoom).filter((target) => target.startsWith("services/"))) expect(to).toMatch(shared);
    });
  }
  it("stays within 300 lines", () => expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(300));
  it("has no escape hatch", () =>
    expect([
      code.match(/: any\b|<any>|\bas any\b/)?.[0],
      text.match(/@ts-ignore|@ts-expect-error|biome-ignore|oxlint-disable/)?.[0],
    ]).toEqual([undefined, undefined]));
  if (pure.has(room)) it("is pure", () => expect(code).not.toMatch(impure));
});
