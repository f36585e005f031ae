import { createArmState } from "../../../src/sim/arm/armState.ts";
import { memoryAzure } from "../../../src/sim/memory/memoryAzure.ts";
import { armContract } from "../../support/contracts/armContract.ts";
import { must } from "../../support/contracts/must.ts";

armContract(async () => {
  let nowMs = 1_700_000_000_000;
  const now = (): number => {
    nowMs += 1;
    return nowMs;
  };
  const azure = memoryAzure(createArmState({ latency: 0, pageSize: 3 }), now);
  const credential = {
    kind: "workloadIdentity",
    cloud: "AzurePublicCloud",
    tenantId: "t",
    clientId: "c",
    identity: "team/identity",
    usedBy: "team",
  } as const;
  return must(await azure.connect(credential));
});
