import { Type } from "typebox";

/** A template without content: an AzureManagedCluster has nothing that a user may set. */
export const azureManagedClusterTemplateSpec = Type.Object({
  template: Type.Object(
    { spec: Type.Object({}, { description: "Nothing can be set." }) },
    { description: "What is copied." },
  ),
});
