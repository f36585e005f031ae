import type { FailureClass } from "./types.ts";

/** Codes that mean different things; only the words tell which. */
const ambiguous = /^(OperationNotAllowed|Conflict|BadRequest|Forbidden|Http4\d\d)$/;

/**
 * From the more to the less certain. Sources: the messages of OperationNotAllowed in
 * https://learn.microsoft.com/troubleshoot/azure/virtual-machines/windows/error-messages and the quota page
 * https://learn.microsoft.com/azure/azure-resource-manager/troubleshooting/error-resource-quota.
 */
const words: readonly (readonly [RegExp, FailureClass])[] = [
  [/\bquota\b|\bexceed(ing|s|ed)?\b.*\blimit\b|\bcannot create more than\b|policy limit for resource type/is, "quota"],
  [
    /marked for deletion|is in progress|in progress .* operation|ongoing operation|being (provisioned|deallocated|updated|deleted)/i,
    "conflict",
  ],
  [
    /not available in the (cluster|existing allocation unit)|may not be available in the existing allocation unit/i,
    "capacity",
  ],
  [/cannot be deleted\. before deleting|does not contain any VM|currently using the image/i, "dependency"],
  [
    /^changing property|maximum number of data disks|is smaller than the size|is not supported|is not allowed on (specified|this) sku/i,
    "badConfiguration",
  ],
];

/** The class that the words of an ambiguous code tell; undefined when code and words leave it to the table. */
export const classByWords = (code: string, message: string): FailureClass | undefined =>
  ambiguous.test(code) ? words.find(([pattern]) => pattern.test(message))?.[1] : undefined;
