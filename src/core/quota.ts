/** A limit of a subscription as Azure's words tell it. What they do not tell is missing. */
export interface Quota {
  /** `standardDSv3Family`, `Total Regional Cores`, `Core`, `public IP addresses`. */
  readonly family?: string;
  readonly limit?: number;
  /** In use now. */
  readonly usage?: number;
  /** Asked for beyond that. */
  readonly requested?: number;
  readonly region?: string;
}

type Field = keyof Quota;

/** Fields of a match by the names of its groups. */
const fieldsOf = (groups: Readonly<Record<string, string | undefined>>): Quota => {
  const number = (field: Field): number | undefined =>
    groups[field] === undefined ? undefined : Number(groups[field].replaceAll(",", ""));
  const { family, region } = groups;
  const [limit, usage, requested] = [number("limit"), number("usage"), number("requested")];
  return {
    ...(family !== undefined && { family: family.trim() }),
    ...(limit !== undefined && { limit }),
    ...(usage !== undefined && { usage }),
    ...(requested !== undefined && { requested }),
    ...(region !== undefined && { region }),
  };
};

/**
 * The wordings that Azure uses, each with the public report it was seen in. The tail with the numbers may be missing from
 * the first one.
 */
const wordings: readonly RegExp[] = [
  // https://github.com/Azure/karpenter-provider-azure/issues/192
  /exceeding approved (?<family>[\w ]+?)(?: Cores)? quota(?:.*?Location: (?<region>[\w-]+), Current Limit: (?<limit>[\d,]+), Current Usage: (?<usage>[\d,]+), Additional Required: (?<requested>[\d,]+))?/is,
  // https://github.com/microsoft/openshift-origin/issues/42
  /exceeding quota limits? of (?<family>\w+)\. *Maximum allowed: (?<limit>[\d,]+), Current in use: (?<usage>[\d,]+), Additional requested: (?<requested>[\d,]+)/i,
  // https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/quota-exceeded-error
  /insufficient vcpu quota requested (?<requested>\d+), remaining (?<left>\d+) for family (?<family>\w+)(?: for region (?<region>[\w-]+))?/i,
  // https://learn.microsoft.com/troubleshoot/azure/azure-kubernetes/error-codes/aks-error-code-page
  /insufficient (?<family>regional) vcpu quota left for location (?<region>[\w-]+)\. left regional vcpu quota (?<left>\d+), requested quota (?<requested>\d+)/i,
  // https://github.com/coreos/tectonic-installer/issues/1454, https://github.com/openshift/openshift-azure/issues/2252
  /cannot create more than (?<limit>[\d,]+) (?<family>[\w ]+?)(?: (?:with|for) .*)? (?:in this region|for this subscription)/i,
  // https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-resource-quota
  /resource of type '?(?<family>[\w./]+)'? would exceed the quota of '?(?<limit>[\d,]+)'?.*?current resource count is '?(?<usage>[\d,]+)/is,
  // https://github.com/chanezon/azure-linux/issues/15
  /limit for resource type '(?<family>[^']+)' is (?<limit>[\d,]+) per subscription, the current count is (?<usage>[\d,]+), and the requested increment is (?<requested>[\d,]+)/i,
  // https://learn.microsoft.com/azure/role-based-access-control/troubleshooting
  /(?<family>role assignment)s? .*?limit/i,
];

/** What Azure's words say of an exhausted limit; undefined when they speak of none that we know. */
export const quotaOf = (message: string): Quota | undefined => {
  for (const wording of wordings) {
    const groups = wording.exec(message)?.groups;
    if (groups !== undefined) return fieldsOf(groups);
  }
  return undefined;
};

const regional = /^(total )?regional( cores)?$|^cores?$/i;
const lowPriority = /^(low.?priority|spot)/i;

/**
 * The name under which a limit is shared: families of sizes by their own name, all words for the limit of a region's cores
 * as `cores`, those for spot cores as `lowPriorityCores`.
 */
export const quotaFamily = (family: string): string => {
  if (regional.test(family)) return "cores";
  if (lowPriority.test(family)) return "lowPriorityCores";
  return family;
};

/** The same in a sentence for people. Empty when nothing but the refusal is known. */
export const quotaWords = ({ family, region, limit, usage, requested }: Quota): string => {
  const numbers = [
    ...(limit === undefined ? [] : [`limit ${limit}`]),
    ...(usage === undefined ? [] : [`in use ${usage}`]),
    ...(requested === undefined ? [] : [`asked for ${requested} more`]),
  ];
  if (family === undefined || numbers.length === 0) return "";
  return `Quota ${family}${region === undefined ? "" : ` in ${region}`}: ${numbers.join(", ")}.`;
};
