import { Type } from "typebox";
import { stateRulesOnly } from "../cel/stateRulesOnly.ts";
import { ruled } from "../schema.ts";
import { aksControlPlaneRules } from "./aksControlPlaneRules.ts";
import { aksFleetsMember } from "./aksExtensions.ts";
import { controlPlaneFields } from "./azureManagedControlPlane.ts";

/** What every control plane has for itself, and no template can give. */
const own = ["controlPlaneEndpoint", "dnsPrefix", "fleetsMember", "nodeResourceGroupName", "sshPublicKey"] as const;

/** A control plane that Cluster API copies for each cluster of a class. */
export const azureManagedControlPlaneTemplateSpec = Type.Object({
  template: Type.Object(
    {
      spec: ruled(
        stateRulesOnly(
          Type.Object(
            {
              ...Type.Omit(controlPlaneFields, own).properties,
              fleetsMember: Type.Optional(
                Type.Object(Type.Omit(aksFleetsMember, ["name"]).properties, {
                  description: "Membership in a fleet, under the name of the Cluster.",
                }),
              ),
            },
            { description: "Spec of the control planes." },
          ),
        ),
        ...aksControlPlaneRules,
      ),
    },
    { description: "What is copied." },
  ),
});
