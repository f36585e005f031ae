import { ok, type Parsed, problem } from "./parsed.ts";

/** One part of a route template between two slashes. */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | {
      readonly kind: "parameter";
      readonly name: string;
      readonly optional: boolean;
      readonly constraint: RegExp | undefined;
    }
  | { readonly kind: "rest"; readonly name: string };

/** https://learn.microsoft.com/aspnet/core/fundamentals/routing#route-constraints */
const constraints: Readonly<Record<string, RegExp>> = {
  int: /^-?\d{1,10}$/,
  long: /^-?\d{1,19}$/,
  bool: /^(true|false)$/i,
  alpha: /^[a-z]+$/i,
  guid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
};

const parseSegment = (text: string): Parsed<Segment> => {
  if (!/[{}]/.test(text)) return ok({ kind: "literal", text: text.toLowerCase() });
  const match = /^\{(\*{0,2})(\w+)(?::(\w+))?(\?)?\}$/.exec(text);
  if (match === null) return problem(`route segment "${text}" is not supported`);
  const [, star, name = "", constraint, optional] = match;
  if (star !== "") return ok({ kind: "rest", name });
  if (constraint !== undefined && constraints[constraint] === undefined)
    return problem(`route constraint "${constraint}" is not supported`);
  return ok({
    kind: "parameter",
    name,
    optional: optional !== undefined,
    constraint: constraint === undefined ? undefined : constraints[constraint],
  });
};

/** Segments of a route template such as `things/{id:int?}` or `files/{*path}`. */
export const parseRoute = (template: string): Parsed<readonly Segment[]> => {
  const parts = template
    .split("/")
    .filter((text) => text !== "")
    .map(parseSegment);
  const problems = parts.flatMap((part) => (part.kind === "problems" ? part.problems : []));
  return problems.length > 0
    ? problem(...problems)
    : ok(parts.flatMap((part) => (part.kind === "ok" ? [part.value] : [])));
};

/** Parameters of a path that fits the segments, or undefined; literals compare without regard to case. */
export const matchRoute = (
  segments: readonly Segment[],
  path: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  const found: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    const text = path[index];
    if (segment.kind === "rest") {
      const rest = path.slice(index).join("/");
      return rest === "" ? found : { ...found, [segment.name]: rest };
    }
    if (text === undefined) {
      if (segment.kind === "parameter" && segment.optional) continue;
      return undefined;
    }
    if (segment.kind === "literal" && segment.text !== text.toLowerCase()) return undefined;
    if (segment.kind === "parameter" && segment.constraint?.test(text) === false) return undefined;
    if (segment.kind === "parameter") found[segment.name] = text;
  }
  return path.length > segments.length ? undefined : found;
};

const rank = (segment: Segment): number => {
  switch (segment.kind) {
    case "literal":
      return 0;
    case "parameter":
      return segment.constraint === undefined ? 2 : 1;
    case "rest":
      return 3;
  }
};

/** Orders routes for matching: at the first difference a literal comes before a parameter, a rest comes last. */
export const compareRoutes = (a: readonly Segment[], b: readonly Segment[]): number => {
  for (const [index, segment] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    if (rank(segment) !== rank(other)) return rank(segment) - rank(other);
  }
  return a.length - b.length;
};
