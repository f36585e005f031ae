import { same } from "../cel/change.ts";
import { given, type Part, textOr, valueOr } from "../cel/parts.ts";
import type { Rule } from "../schema.ts";

/** Rules of a node pool that need the object's name: it is the pool's name in Azure where the spec gives none. */

const name: Part = (object) => textOr("name", `${object}.metadata.name`)(`${object}.spec`);

/** CEL: whether a name serves for a pool of the spec's operating system. */
export const poolNameFits = (poolName: string, spec: string): string =>
  `${poolName}.matches('^[a-z][a-z0-9]{0,11}$') && (${valueOr("osType", "'Linux'")(spec)} != 'Windows' || size(${poolName}) <= 6)`;

export const aksPoolNames: readonly Rule[] = [
  {
    rule: `oldSelf.hasValue() || ${given("name")("self.spec")} || ${poolNameFits("self.metadata.name", "self.spec")}`,
    message:
      "must be given where the object's name cannot serve: it is not of up to 12 lower-case letters and digits, 6 for Windows, with a letter first",
    fieldPath: ".spec.name",
    optionalOldSelf: true,
  },
  {
    rule: same(name)("self", "oldSelf"),
    message: "must stay as it is, or be empty where it is the object's name",
    messageExpression: `'must stay ' + ${name("oldSelf")}`,
    fieldPath: ".spec.name",
  },
];
