import { Type } from "typebox";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { computeFields } from "./compute.ts";
import { machineIdentityFields } from "./machineIdentity.ts";
import { parseSpec } from "./parse.ts";
import { flag, int32, integer, intOrString, list, map, oneOf, type Parsed, text } from "./schema.ts";

const rollingUpdate = Type.Object(
  {
    maxSurge: Type.Optional(
      intOrString("How many instances more than wanted there may be; a percentage is rounded up.", { default: 1 }),
    ),
    maxUnavailable: Type.Optional(
      intOrString("How many instances less than wanted may be ready; a percentage is rounded down.", { default: 0 }),
    ),
    deletePolicy: Type.Optional(
      oneOf("Which instances go first.", ["Random", "Newest", "Oldest"], { default: "Oldest" }),
    ),
  },
  { description: "Pace and order of a rolling update." },
);

const strategy = Type.Object(
  {
    type: Type.Optional(oneOf("Kind of the strategy.", ["RollingUpdate"], { default: "RollingUpdate" })),
    rollingUpdate: Type.Optional(rollingUpdate),
  },
  {
    description: "How instances of an old model are replaced.",
    default: { rollingUpdate: { deletePolicy: "Oldest", maxSurge: 1, maxUnavailable: 0 }, type: "RollingUpdate" },
  },
);

/** What a user asks of a scale set. */
export const azureMachinePoolSpec = Type.Object({
  ...machineIdentityFields,
  location: text("Azure region."),
  template: Type.Object(
    {
      ...computeFields,
      terminateNotificationTimeout: Type.Optional(
        integer("Minutes, 5 to 15, between the announcement of an instance's end and the end; none when absent."),
      ),
    },
    { description: "The instances." },
  ),
  additionalTags: Type.Optional(map("Tags beside those of the cluster, which they override.", Type.String())),
  providerID: Type.Optional(text("Id of the scale set; written once it exists.")),
  providerIDList: Type.Optional(
    list("Ids of the instances as their Nodes spell them; kept current by us.", Type.String()),
  ),
  strategy: Type.Optional(strategy),
  orchestrationMode: Type.Optional(
    oneOf(
      "`Uniform`: Azure makes equal instances; `Flexible`: they are virtual machines of their own.",
      ["Flexible", "Uniform"],
      { default: "Uniform" },
    ),
  ),
  platformFaultDomainCount: Type.Optional(
    int32("Over how many fault domains instances are spread; absent: 1 in `Flexible`, else Azure chooses."),
  ),
  zoneBalance: Type.Optional(flag("Whether zones must hold equally many instances; counts from two zones on.")),
});
export type AzureMachinePoolSpec = Parsed<typeof azureMachinePoolSpec>;

/** Everything that is wrong with the shape of the spec, at once; meaning is checked by the kind. */
export const parseAzureMachinePool = (object: KubeObject): Result<AzureMachinePoolSpec, readonly Problem[]> =>
  parseSpec(azureMachinePoolSpec, object, "ScaleSetRunning");
