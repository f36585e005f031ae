import type { FailureClass } from "../types.ts";

/**
 * What makes a failure worth trying again at once, beside another plan, a person's `retry` and its own time. `identity`: the
 * identity or its secret changed; `dependencies`: another Kubernetes object that this one obeys changed; `siblings`: another
 * resource of the same object came or went.
 */
export type Wake = "identity" | "dependencies" | "siblings";

/** How slowly something is tried again. */
export interface Pace {
  readonly firstSeconds: number;
  /** The delay doubles up to this while the failure is fresh. */
  readonly freshCapSeconds: number;
  /** So many attempts count as fresh; afterwards the delay doubles again, up to an hour. */
  readonly freshAttempts: number;
}

/** What one of Azure's error codes means for us. */
export interface ErrorCode {
  readonly kind: FailureClass;
  /** What a person can do about it, or why nobody has to; undefined when the class says all. */
  readonly hint?: string;
  /** Where Microsoft or a public report says so. */
  readonly source: string;
  /** It only wraps another code or repeats the status: a more specific one goes before. */
  readonly generic?: true;
  /** A shortage of this one place only: nobody else waits for it. */
  readonly alone?: true;
  /** What differs from the back-off of its class. */
  readonly pace?: Partial<Pace>;
  /** In place of what wakes its class. */
  readonly wakes?: readonly Wake[];
}

/** Codes of one family in Azure's own spelling. */
export type ErrorCodes = Readonly<Record<string, ErrorCode>>;

/** Codes that have all but their hint in common. An empty hint is none. */
export const alike = (common: Omit<ErrorCode, "hint">, hints: Readonly<Record<string, string>>): ErrorCodes =>
  Object.fromEntries(
    Object.entries(hints).map(([code, hint]) => [code, hint === "" ? common : { ...common, hint }] as const),
  );

const learn = "https://learn.microsoft.com";
const aks = `${learn}/troubleshoot/azure/azure-kubernetes`;

/** Pages that speak of many codes. */
export const sources = {
  deployment: `${learn}/azure/azure-resource-manager/troubleshooting/common-deployment-errors`,
  quota: `${learn}/azure/azure-resource-manager/troubleshooting/error-resource-quota`,
  throttling: `${learn}/azure/azure-resource-manager/management/request-limits-and-throttling`,
  computeThrottling: `${learn}/troubleshoot/azure/virtual-machines/windows/troubleshooting-throttling-errors`,
  locks: `${learn}/azure/azure-resource-manager/management/lock-resources`,
  machines: `${learn}/troubleshoot/azure/virtual-machines/windows/error-messages`,
  roles: `${learn}/azure/role-based-access-control/troubleshooting`,
  entra: `${learn}/entra/identity-platform/reference-error-codes`,
  workloadIdentity: "https://azure.github.io/azure-workload-identity/docs/troubleshooting.html",
  aks: `${aks}/error-codes/aks-error-code-page`,
} as const;

/** The page of one error code of Azure Kubernetes Service. */
export const aksPage = (name: string): string => `${aks}/error-codes/${name}`;

/** A public report, `owner/name#number`. */
export const report = (where: string): string => {
  const [repository, number] = where.split("#");
  return `https://github.com/${repository}/issues/${number}`;
};
