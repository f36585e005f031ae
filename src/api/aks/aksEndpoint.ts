import { Type } from "typebox";
import { int32, text } from "../schema.ts";

/** Address of a managed API server; set once Azure has told it. */
export const aksEndpoint = Type.Object(
  {
    host: Type.Optional(text("Host of the API server.", { maxLength: 512 })),
    port: Type.Optional(int32("Port of the API server.")),
  },
  { description: "Where the API server answers; filled in by the provider." },
);
