import { Type } from "typebox";
import { list, text } from "./schema.ts";

/** Where an earlier provider kept the operations it waited for; ours are in the tables. */
export const operationStates = list(
  "Operations of an earlier provider; neither read nor written.",
  Type.Object({
    type: text("Kind of the operation."),
    name: text("Name of the resource."),
    resourceGroup: Type.Optional(text("Resource group of the resource.")),
    serviceName: text("Service that started it."),
    data: text("What is needed to poll it."),
  }),
);
