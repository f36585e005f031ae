import { aksRules } from "../aks/aksRules.ts";
import { machinePoolRules, machineRules } from "../machine/machineRules.ts";
import { clusterRules } from "./clusterRules.ts";
import type { TurnRule } from "./turnRule.ts";

/** Every rule that is judged at the start of a turn, for the reference page and for tests. */
export const turnRules: readonly TurnRule[] = Object.freeze([
  ...Object.values(clusterRules),
  ...Object.values(machineRules),
  ...Object.values(machinePoolRules),
  ...Object.values(aksRules),
]);
