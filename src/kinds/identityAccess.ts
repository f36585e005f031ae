import type { AzureClusterIdentitySpec, LabelSelector } from "../api/cluster/azureClusterIdentity.ts";

type Labels = Readonly<Record<string, string>>;
type Requirement = NonNullable<LabelSelector["matchExpressions"]>[number];

/** An operator that does not exist meets nothing, so a typing error never lets anybody in. */
const meets = (labels: Labels, { key, operator, values = [] }: Requirement): boolean => {
  const value = labels[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return false;
  }
};

const matches = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean =>
  // An empty selector matches nothing here, other than elsewhere in Kubernetes: existing identities rely on it.
  Object.keys(matchLabels).length + matchExpressions.length > 0 &&
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((requirement) => meets(labels, requirement));

/**
 * Whether objects of a namespace may use an identity. No `allowedNamespaces`: nobody. Empty: everybody. Otherwise who is
 * listed or whose Namespace has matching labels; unknown labels match nothing.
 */
export const mayUse = (
  { allowedNamespaces }: Pick<AzureClusterIdentitySpec, "allowedNamespaces">,
  namespace: string,
  labels: Labels | undefined,
): boolean => {
  if (allowedNamespaces === undefined) return false;
  const { list, selector } = allowedNamespaces;
  if (list === undefined && selector === undefined) return true;
  if (list?.includes(namespace) === true) return true;
  return selector !== undefined && labels !== undefined && matches(selector, labels);
};
