import { ownerTag, ownerTagValue } from "../../../src/core/ownership.ts";
import type { Desired, JsonObject } from "../../../src/core/types.ts";

/** What a test wants of one resource: everything of `Desired` but the id. Our owner tag is added where one fits. */
export type Wish = Omit<Desired, "id" | "defaults"> & Partial<Pick<Desired, "defaults">>;

/** Wishes by name, of each service. */
export type Wishes = Readonly<Record<string, Readonly<Record<string, Wish>>>>;

/** All that the services of the test kind know. */
export interface TestScope {
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location: string;
  /** Owner of everything; stands in the owner tag. */
  readonly owner: string;
  readonly wishes: Wishes;
}

/** The tags that make a resource the scope's own. */
export const testOwnerTags = ({ owner }: Pick<TestScope, "owner">): Readonly<Record<string, string>> => ({
  [ownerTag(owner)]: ownerTagValue,
});

/** The body of a taggable resource: as wished, with the owner tag and, unless the wish has one, the location. */
export const ownedBody = (scope: TestScope, { body }: Wish): JsonObject => {
  const { tags, ...rest } = body;
  return { location: scope.location, ...rest, tags: { ...(tags as JsonObject), ...testOwnerTags(scope) } };
};
