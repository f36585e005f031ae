import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { transition } from "../cel/changeRule.ts";
import { parseSpec } from "../parse.ts";
import { flag, int32, integer, intOrString, list, map, oneOf, type Parsed, type Rule, ruled, text } from "../schema.ts";
import { computeFields, computeRules } from "./compute.ts";
import { poolDataDisksSpec, poolOsDiskSpec } from "./disks.ts";
import { machineIdentityFields, machineIdentityRules, poolAssignmentStays } from "./machineIdentity.ts";
import { bootstrapExtensionStays } from "./machineStays.ts";

const countOrShare: Rule = {
  rule: "type(self) == string ? self.matches('^[0-9]+%$') : self >= 0",
  message: "must be a count, such as 1, or a percentage, such as 25%",
};

const rollingUpdate = ruled(
  Type.Object(
    {
      maxSurge: Type.Optional(
        ruled(
          intOrString("How many instances more than wanted there may be; a percentage is rounded up.", { default: 1 }),
          countOrShare,
        ),
      ),
      maxUnavailable: Type.Optional(
        ruled(
          intOrString("How many instances less than wanted may be ready; a percentage is rounded down.", {
            default: 0,
          }),
          countOrShare,
        ),
      ),
      deletePolicy: Type.Optional(
        oneOf("Which instances go first.", ["Random", "Newest", "Oldest"], { default: "Oldest" }),
      ),
    },
    { description: "Pace and order of a rolling update." },
  ),
  {
    // A share of none passes, as CAPZ has it: a pool whose instances nobody wants replaced says so.
    rule: "!(has(self.maxSurge) && string(self.maxSurge) == '0' && (!has(self.maxUnavailable) || string(self.maxUnavailable) == '0'))",
    message: "must be above 0 where maxSurge is 0: otherwise no instance could ever be replaced",
    fieldPath: ".maxUnavailable",
  },
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
export const azureMachinePoolSpec = ruled(
  Type.Object({
    ...machineIdentityFields,
    location: text("Azure region."),
    template: ruled(
      Type.Object(
        {
          ...computeFields,
          osDisk: poolOsDiskSpec,
          dataDisks: Type.Optional(poolDataDisksSpec),
          terminateNotificationTimeout: Type.Optional(
            integer("Minutes between the announcement of an instance's end and the end; none when absent.", {
              minimum: 5,
              maximum: 15,
            }),
          ),
        },
        { description: "The instances." },
      ),
      ...computeRules,
      transition({ ...bootstrapExtensionStays, message: "must stay as it is: make a new pool for another one" }),
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
  }),
  ...machineIdentityRules,
  poolAssignmentStays,
);
export type AzureMachinePoolSpec = Parsed<typeof azureMachinePoolSpec>;

/** Everything that is wrong with the shape of the spec, at once; meaning is checked by the kind. */
export const parseAzureMachinePool = (object: KubeObject): Result<AzureMachinePoolSpec, readonly Problem[]> =>
  parseSpec(azureMachinePoolSpec, object, "ScaleSetRunning");
