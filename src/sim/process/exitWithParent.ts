/**
 * Calls `leave` once when the process that launched this one is gone, by whatever signal.
 * The launcher holds the other end of standard input, and the kernel closes that end with it.
 */
export const exitWithParent = (leave: () => void): void => {
  let left = false;
  const once = (): void => {
    if (left) return;
    left = true;
    leave();
  };
  process.stdin.once("end", once);
  process.stdin.once("close", once);
  process.stdin.once("error", once);
  process.stdin.resume();
};
