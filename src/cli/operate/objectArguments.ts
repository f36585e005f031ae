import { crdFacts } from "../../api/definition/crdFacts.ts";
import { infrastructureKinds, type KindEntry } from "../../api/registry.ts";
import type { Result } from "../../core/types.ts";

/** One object as somebody named it. */
export interface NamedObject {
  readonly entry: KindEntry;
  readonly name: string;
}

const namesOf = ({ kind, plural, group, version }: KindEntry): readonly string[] => {
  const singular = kind.toLowerCase();
  const bare = [singular, plural, ...crdFacts(kind).shortNames];
  return [...bare, ...[singular, plural].flatMap((name) => [`${name}.${group}`, `${name}.${version}.${group}`])];
};

const entryOf = (type: string): KindEntry | undefined =>
  infrastructureKinds.find((entry) => namesOf(entry).includes(type.toLowerCase()));

const failed = (error: string): Result<never, string> => ({ ok: false, error });
const unknown = (type: string): Result<never, string> =>
  failed(
    `"${type}" is no kind of Capstan; kinds are ${infrastructureKinds.map(({ kind }) => kind.toLowerCase()).join(", ")}`,
  );

const isName = (name: string): boolean => /^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$/.test(name);

const named = (type: string, name: string): Result<NamedObject, string> => {
  const entry = entryOf(type);
  if (entry === undefined) return unknown(type);
  return isName(name) ? { ok: true, value: { entry, name } } : failed(`"${name}" is no name of an object`);
};

/** Each distinct object once, in the order given. */
const all = (found: readonly Result<NamedObject, string>[]): Result<readonly NamedObject[], string> => {
  const bad = found.find((one) => !one.ok);
  if (bad !== undefined && !bad.ok) return bad;
  const objects = found.flatMap((one) => (one.ok ? [one.value] : []));
  return { ok: true, value: [...new Map(objects.map((one) => [`${one.entry.kind}/${one.name}`, one])).values()] };
};

/** Arguments as kubectl takes them: `TYPE/NAME …` or `TYPE NAME …`, where TYPE is a kind, its plural or a short name of it. */
export const namedObjects = (args: readonly string[]): Result<readonly NamedObject[], string> => {
  const [type = "", ...names] = args;
  if (args.some((arg) => arg.includes("/"))) {
    return all(
      args.map((arg) => {
        const [kind = "", name = "", ...rest] = arg.split("/");
        return rest.length === 0 && name !== "" ? named(kind, name) : failed(`"${arg}" is not TYPE/NAME`);
      }),
    );
  }
  if (args.length === 0) return failed("which object? TYPE/NAME or TYPE NAME");
  if (entryOf(type) === undefined) return unknown(type);
  return names.length === 0
    ? failed(`which ${type}? TYPE/NAME or TYPE NAME`)
    : all(names.map((name) => named(type, name)));
};
