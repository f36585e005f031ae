import { givenOr, isGiven } from "./aksChange.ts";
import type { Rule } from "./schema.ts";

/** Rules of a node pool that need the object's name: it is the pool's name in Azure where the spec gives none. */

const name = (object: string): string => givenOr(`${object}.spec`, "name", `${object}.metadata.name`);

/** CEL: whether a name serves for a pool of the spec's operating system. */
export const poolNameFits = (poolName: string, spec: string): string =>
  `${poolName}.matches('^[a-z][a-z0-9]{0,11}$') && (${spec}.?osType.orValue('Linux') != 'Windows' || size(${poolName}) <= 6)`;

export const aksPoolNames: readonly Rule[] = [
  {
    rule: `oldSelf.hasValue() || ${isGiven("self.spec", "name")} || ${poolNameFits("self.metadata.name", "self.spec")}`,
    message:
      "must be given where the object's name cannot serve: it is not of up to 12 lower-case letters and digits, 6 for Windows, with a letter first",
    fieldPath: ".spec.name",
    optionalOldSelf: true,
  },
  {
    rule: `${name("self")} == ${name("oldSelf")}`,
    message: "must stay as it is, or be empty where it is the object's name",
    messageExpression: `'must stay ' + ${name("oldSelf")}`,
    fieldPath: ".spec.name",
  },
];
