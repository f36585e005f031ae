import { Type } from "typebox";
import { flag, map } from "../schema.ts";

/** One zone, as Cluster API's contract shows it. */
export const failureDomain = Type.Object({
  controlPlane: Type.Optional(flag("Whether control-plane machines may live there.")),
  attributes: Type.Optional(map("Not used.", Type.String())),
});
