import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the ranges from which systems give out ports on their own (32768 and up on Linux, 49152 and up elsewhere), so
 * that between finding a port and using it no outgoing connection takes it.
 */
const range = { from: 20_000, to: 32_000 } as const;
const tries = 200;

/** Whether nobody listens on this port of 127.0.0.1 now. */
export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host: "127.0.0.1", exclusive: true }, () => server.close(() => resolve(true)));
  });

/** So many different ports on 127.0.0.1 that nobody listens on now. Fails when 200 guesses do not give them. */
export const freePorts = async (count: number): Promise<readonly number[]> => {
  const ports = new Set<number>();
  for (let guess = 0; ports.size < count; guess += 1) {
    if (guess === tries + count) throw new Error(`found only ${ports.size} of ${count} free ports on 127.0.0.1`);
    const port = randomInt(range.from, range.to);
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
};
