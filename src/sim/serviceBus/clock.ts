/** Time as the broker sees it. */
export interface BrokerClock {
  /** Milliseconds since the epoch. When it goes back, locks last longer and scheduled messages come later. */
  nowMs(): number;
  /** Calls once after the delay, unless the returned function is called before. */
  after(delayMs: number, call: () => void): () => void;
}

/** `setTimeout` takes no longer delay. */
const longestDelayMs = 2 ** 31 - 1;

/** The clock of this machine. Its timers do not keep the process alive. */
export const systemClock: BrokerClock = {
  nowMs: () => Date.now(),
  after: (delayMs, call) => {
    const timer = setTimeout(call, Math.min(Math.max(delayMs, 0), longestDelayMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
};
