/** What a promise gives, unless the signal comes first: then its reason is thrown, and what was begun goes on. */
export const before = async <T>(cut: AbortSignal, running: Promise<T>): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(cut.reason);
  cut.addEventListener("abort", end, { once: true });
  try {
    if (cut.aborted) end();
    return await Promise.race([running, promise]);
  } finally {
    cut.removeEventListener("abort", end);
  }
};
