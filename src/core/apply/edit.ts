import type { Change, Json } from "../types.ts";
import { shown } from "./leaves.ts";
import { type Located, wayTo } from "./located.ts";
import { type Frame, ruleAbove } from "./place.ts";

/** One difference to be written. `to` undefined: taken out of the body. */
export interface Edit {
  readonly at: Located;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** A path for people: `properties.securityRules[allow_ssh].properties.priority`, `tags["a.b"]`. */
export const pathText = (at: Located): string =>
  wayTo(at)
    .slice(1)
    .map(({ path, isItem }, index) => {
      const step = path.at(-1) ?? "";
      if (isItem) return `[${step}]`;
      if (!/^[\w$-]+$/.test(step)) return `["${step}"]`;
      return index === 0 ? step : `.${step}`;
    })
    .join("");

/** The explanation of an edit, without secrets. */
export const changeOf = (frame: Frame, { at, from, to }: Edit): Change => ({
  path: pathText(at),
  from: from === undefined ? null : shown(frame, at, from),
  to: to === undefined ? null : shown(frame, at, to),
  effect: ruleAbove(frame.rules.effects, at.place) ?? "inPlace",
});
