import type { RunnableReading } from "../core/runnableKind.ts";
import type { Arm } from "../ports.ts";
import { connect } from "./gather.ts";
import { noStrays, pollStrays, type Strays } from "./strayOperations.ts";
import type { Turning } from "./turning.ts";

const isPlanned = (): boolean => false;

/** Polls what runs in Azure when there is no plan; nothing when Azure cannot be reached. */
export const straysBy = ({ deps, startedMs, ledger }: Turning, arm: Arm | undefined): Promise<Strays> =>
  arm === undefined ? Promise.resolve(noStrays) : pollStrays(ledger, isPlanned, { deps, startedMs, arm });

/** The spec makes no plan; what runs in Azure is followed all the same, if the identity can be had. */
export const straysUnplanned = async (turning: Turning, reading: RunnableReading): Promise<Strays> => {
  const { kind, kube, deps, ledger } = turning;
  if ([...ledger.values()].every(({ operation }) => operation === undefined)) return noStrays;
  const connected = await connect(kind, reading, kube, deps);
  return straysBy(turning, connected.arm);
};
