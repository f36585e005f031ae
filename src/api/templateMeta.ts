import { Type } from "typebox";
import { map } from "./schema.ts";

/** Metadata that Cluster API gives to what it makes from a template. */
export const templateMeta = Type.Object(
  {
    labels: Type.Optional(map("Labels of what is made.", Type.String())),
    annotations: Type.Optional(map("Annotations of what is made.", Type.String())),
  },
  { description: "Metadata for what is made from the template." },
);
