/** A queue as its owner asks for it. Defaults are those of Azure Service Bus. */
export interface QueueOptions {
  /** Compared without regard to case; may contain slashes. */
  readonly name: string;
  /** How long a receiver holds a message; default 60. */
  readonly lockSeconds?: number;
  /** Deliveries without success after which a message is dead-lettered; default 10. */
  readonly maxDeliveryCount?: number;
  /** How long message ids are remembered; absent or 0: no duplicate detection. */
  readonly duplicateDetectionSeconds?: number;
  /** Whether messages whose time to live has passed are dead-lettered instead of dropped; default false. */
  readonly deadLetterExpired?: boolean;
}

/** The same with every default filled in, in the units the queue computes with. */
export interface QueueSettings {
  readonly name: string;
  readonly lockMs: number;
  readonly maxDeliveryCount: number;
  readonly duplicateDetectionMs: number;
  readonly deadLetterExpired: boolean;
}

const isPositive = (value: number): boolean => Number.isFinite(value) && value > 0;

/** Fills in the defaults. Throws with the name of the queue and of the option when a value makes no sense. */
export const queueSettings = (options: QueueOptions): QueueSettings => {
  const refuse = (what: string): never => {
    throw new Error(`queue ${JSON.stringify(options.name)}: ${what}`);
  };
  const lockSeconds = options.lockSeconds ?? 60;
  const maxDeliveryCount = options.maxDeliveryCount ?? 10;
  const duplicateDetectionSeconds = options.duplicateDetectionSeconds ?? 0;
  if (!/^[^\s/$?#*\\][^\s$?#*\\]*(?<!\/)$/.test(options.name)) refuse("not a valid queue name");
  if (!isPositive(lockSeconds)) refuse("lockSeconds must be a positive number");
  if (!isPositive(maxDeliveryCount) || !Number.isInteger(maxDeliveryCount))
    refuse("maxDeliveryCount must be a positive integer");
  if (duplicateDetectionSeconds !== 0 && !isPositive(duplicateDetectionSeconds))
    refuse("duplicateDetectionSeconds must not be negative");
  return {
    name: options.name,
    lockMs: lockSeconds * 1000,
    maxDeliveryCount,
    duplicateDetectionMs: duplicateDetectionSeconds * 1000,
    deadLetterExpired: options.deadLetterExpired ?? false,
  };
};
