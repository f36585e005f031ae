import type { Deps } from "../deps.ts";
import { type Caller, throttledArm } from "./throttledArm.ts";

/** The same deps, with every connection to Azure held to Azure's limits on behalf of one object. */
export const throttled = (deps: Deps, caller: Caller): Deps => ({
  ...deps,
  azure: {
    connect: async (spec) => {
      const connected = await deps.azure.connect(spec);
      return connected.ok ? { ok: true, value: throttledArm(connected.value, spec, caller, deps) } : connected;
    },
  },
});
