import type { Mode } from "./mode.ts";
import { othersModes } from "./othersModes.ts";
import { placeModes } from "./placeModes.ts";
import { privateModes } from "./privateModes.ts";
import { publicModes } from "./publicModes.ts";

/** Every mode of a self-managed cluster's infrastructure, for the world in memory and for the local stack alike. */
export const modes: readonly Mode[] = [...publicModes, ...privateModes, ...placeModes, ...othersModes];
