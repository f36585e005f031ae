import type { Progress } from "./lookAtAzure.ts";

const patienceMs = 3_000;

/** Says how far the reading of Azure is, every few seconds, so that nothing is said of what is quick. */
export const slowProgress = (note: (line: string) => void, nowMs: () => number = Date.now): Progress => {
  let saidMs = nowMs();
  return (done, of) => {
    if (done === of || nowMs() - saidMs < patienceMs) return;
    saidMs = nowMs();
    note(`reading Azure: ${done} of ${of}`);
  };
};
