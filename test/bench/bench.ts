import type { Stack } from "../../src/sim/stack/stack.ts";
import type { Creation } from "./creation.ts";

/** What the measures share; each is made when the first of them asks for it. */
export interface Bench {
  progress(line: string): void;
  /** Everything on this machine, with an Azure that takes no time and no timers. */
  stack(): Promise<Stack>;
  /** The default cluster on that stack, created and settled. */
  cluster(): Promise<Creation>;
}
