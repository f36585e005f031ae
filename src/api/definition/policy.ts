import type { JsonObject } from "../../core/types.ts";
import { infrastructureGroup, kindEntry } from "../registry.ts";
import { providerLabels } from "./providerLabels.ts";

/**
 * Rules that a definition cannot say, because they need the request, the metadata or another object, as a
 * ValidatingAdmissionPolicy (https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/).
 */
export interface Policy {
  /** Name of the policy without the suffix of our group; unique. */
  readonly name: string;
  /** Kinds of ours that it is asked about. */
  readonly kinds: readonly string[];
  readonly operations: readonly ("CREATE" | "UPDATE" | "DELETE")[];
  /** Which requests it is asked about: all conditions must hold, in CEL over `object`, `oldObject` and `request`. */
  readonly when?: readonly { readonly name: string; readonly expression: string }[];
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  /** Objects of a kind in the object's namespace; the rules are asked with each of them as `params`. */
  readonly params?: { readonly apiVersion: string; readonly kind: string };
  readonly rules: readonly PolicyRule[];
}

export interface PolicyRule {
  /** Must hold, in CEL over `object`, `oldObject`, `request`, `params` and `variables`. */
  readonly expression: string;
  /** Field and what would be right: the API server puts only the names of policy and object before it. */
  readonly message: string;
  readonly messageExpression?: string;
  /** The field that the rule is about, such as `spec.template.spec`; for the reference. */
  readonly field: string;
}

const apiVersion = "admissionregistration.k8s.io/v1";

const resourceRules = ({ kinds, operations }: Policy): readonly JsonObject[] => [
  {
    apiGroups: [infrastructureGroup],
    apiVersions: ["*"],
    operations,
    resources: kinds.map((kind) => {
      const entry = kindEntry(kind);
      if (entry === undefined) throw new Error(`${kind} is not a kind of ours`);
      return entry.plural;
    }),
  },
];

/** The policy and its binding, in wire form. Each rule names its field, as a rule of a definition does. */
export const policyObjects = (policy: Policy): readonly [JsonObject, JsonObject] => {
  const { name, when, variables, params, rules } = policy;
  const metadata = { name: `${name}.${infrastructureGroup}`, labels: providerLabels };
  return [
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata,
      spec: {
        failurePolicy: "Fail",
        matchConstraints: { resourceRules: resourceRules(policy) },
        ...(params !== undefined && { paramKind: { ...params } }),
        ...(when !== undefined && { matchConditions: when.map((it) => ({ ...it })) }),
        ...(variables !== undefined && { variables: variables.map((it) => ({ ...it })) }),
        validations: rules.map(({ expression, message, messageExpression, field }) => ({
          expression,
          message: `${field}: ${message}`,
          ...(messageExpression !== undefined && { messageExpression }),
          reason: "Invalid",
        })),
      },
    },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata,
      spec: {
        policyName: metadata.name,
        validationActions: ["Deny"],
        // An object of a namespace is judged with those of the same namespace.
        ...(params !== undefined && { paramRef: { selector: {}, parameterNotFoundAction: "Allow" } }),
      },
    },
  ];
};
