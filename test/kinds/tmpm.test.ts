import fc from "fast-check"; import { it } from "vitest";
import { specArbitrary } from "/work/main/test/api/specArbitrary.ts";
import { objectSchemaOf } from "/work/main/src/api/rules.ts";
import { valueAt } from "/work/main/src/api/json.ts";
import { parseAzureManagedControlPlane } from "/work/main/src/api/azureManagedControlPlane.ts";
import { parseAzureManagedMachinePool } from "/work/main/src/api/azureManagedMachinePool.ts";
it("m", () => { for (const [k,p] of [["AzureManagedControlPlane",parseAzureManagedControlPlane],["AzureManagedMachinePool",parseAzureManagedMachinePool]] as const) { const s = fc.sample(specArbitrary(valueAt(objectSchemaOf(k),"properties","spec") as never), 300); const ok = s.filter((spec) => (p as any)({spec}).ok); console.log(k, ok.length, JSON.stringify(ok[0]).slice(0,600), (p as any)({spec:s.find((x)=>!(p as any)({spec:x}).ok)}).error?.[0]); } });
