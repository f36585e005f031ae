import { resourceId } from "../../../src/core/ids.ts";
import type { Service } from "../../../src/core/service.ts";
import type { ResourceId } from "../../../src/core/types.ts";
import { ownedBody, type TestScope } from "./wish.ts";

type Declaration = Pick<Service<TestScope>, "name" | "type" | "rules"> &
  Partial<Pick<Service<TestScope>, "after" | "ownership" | "serialize">>;

const idOf = ({ subscription, resourceGroup }: TestScope, type: string, name: string): ResourceId =>
  resourceId(subscription, resourceGroup, type, ...name.split("/"));

/**
 * A service that wants exactly what the scope wishes under its name. The name of a child is written
 * `parent/child`, and its body has no tags of ours.
 */
export const wishedService = (declaration: Declaration): Service<TestScope> => {
  const { name, type } = declaration;
  const ownership = declaration.ownership ?? "tag";
  return {
    label: name,
    condition: `${name[0]?.toUpperCase() ?? ""}${name.slice(1)}Ready`,
    after: ["testGroups"],
    remove: "delete",
    trueWhenUnused: false,
    ...declaration,
    ownership,
    desired: (scope) =>
      Object.entries(scope.wishes[name] ?? {}).map(([key, wish]) => ({
        ...wish,
        id: idOf(scope, type, key),
        body: ownership === "tag" ? ownedBody(scope, wish) : wish.body,
        defaults: wish.defaults ?? [],
      })),
  };
};
