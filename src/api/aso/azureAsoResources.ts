import { Type } from "typebox";
import type { JsonObject } from "../../core/types.ts";
import { flag, list, text } from "../schema.ts";

/** What the AzureASO kinds have in common: resources in the shape of Azure Service Operator, and how far each has come. */

const resource = Type.Unsafe<JsonObject>({ type: "object", "x-kubernetes-preserve-unknown-fields": true });

/** Resources as Azure Service Operator knows them: apiVersion, kind, metadata and spec. */
export const azureAsoResources = list(
  "Resources in the shape of Azure Service Operator; each is made in Azure and deleted when it leaves the list.",
  resource,
);

/** How far each resource has come. */
export const azureAsoResourceStatuses = list(
  "How far each resource has come.",
  Type.Object({
    resource: Type.Object(
      {
        group: text("Group of its kind."),
        version: text("Version of its kind."),
        kind: text("Kind."),
        name: text("Name of the object."),
      },
      { description: "Which resource." },
    ),
    ready: flag("Whether Azure has it as it is wanted."),
  }),
);
