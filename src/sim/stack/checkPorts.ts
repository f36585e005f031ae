import { isFree } from "../controlPlane/freePorts.ts";
import type { StackPorts } from "./stack.ts";

/** Fails, naming them all, when fixed ports are taken or asked for twice. */
export const checkPorts = async (ports: StackPorts): Promise<void> => {
  const asked: readonly (readonly [string, number])[] = Object.entries(ports);
  const problems = await Promise.all(
    asked.map(async ([name, port], index) => {
      if (asked.slice(0, index).some(([, other]) => other === port)) return `port ${port} (${name}) is asked for twice`;
      return (await isFree(port)) ? undefined : `port ${port} (${name}) on 127.0.0.1 is in use`;
    }),
  );
  const said = problems.filter((problem) => problem !== undefined);
  if (said.length > 0) throw new Error(said.join("; "));
};
