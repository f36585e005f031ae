import type { ChangeRule } from "../cel/changeRule.ts";
import { ruled, text } from "../schema.ts";

const parts = "[0-9]{1,6}[.][0-9]{1,6}[.][0-9]{1,6}";

/** The three numbers of a version as one, in CEL; 0 for what has none, so that such a version is left to other rules. */
const number = (version: string): string => {
  const part = (index: number): string => `int(${version}.find('${parts}').split('.')[${index}])`;
  return `(${version}.matches('${parts}') ? ${part(0)} * 1000000000000 + ${part(1)} * 1000000 + ${part(2)} : 0)`;
};

/** CEL: whether the first version is not below the second, by its three numbers. */
export const notBelow = (version: string, other: string): string => `${number(version)} >= ${number(other)}`;

/** A Kubernetes version, with or without the leading `v` that an earlier provider added. */
export const aksVersion = ruled(
  // Versions of AKS have up to 12 characters; this leaves room for build metadata.
  text("Kubernetes version, such as `v1.34.1`; never goes down.", { minLength: 2, maxLength: 128 }),
  {
    rule: "self.matches('^v?(0|[1-9][0-9]*)[.](0|[1-9][0-9]*)[.](0|[1-9][0-9]*)([-0-9a-zA-Z_.+]*)?$')",
    message: "must be a whole Kubernetes version, such as v1.34.1",
  },
);

export const versionRises: ChangeRule = {
  field: "version",
  holds: (now, was) => notBelow(`${now}.version`, `${was}.version`),
  message: "must not go down: AKS does not take a control plane back to an older version",
  messageExpression: (_now, was) => `'must not go below ' + ${was}.version`,
};
