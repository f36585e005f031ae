import type { LoggedRequest } from "../../src/sim/arm/requestLog.ts";

/** What something took of Azure. */
export interface ArmCosts {
  /** Of resources and lists. */
  readonly reads: number;
  readonly writes: number;
  /** Reads of operations. */
  readonly polls: number;
}

type Asked = Pick<LoggedRequest, "method" | "path">;

const isWrite = ({ method }: Asked): boolean => method !== "GET" && method !== "HEAD";
const isPoll = (request: Asked): boolean =>
  !isWrite(request) && /\/[a-z]*operation(s|results|statuses)\//i.test(request.path);

/** Every request to Azure is one of the three. */
export const armCosts = (requests: readonly Asked[]): ArmCosts => {
  const writes = requests.filter(isWrite).length;
  const polls = requests.filter(isPoll).length;
  return { reads: requests.length - writes - polls, writes, polls };
};
