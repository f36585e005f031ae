import { Type } from "typebox";
import { oneOf, ruled, text } from "../schema.ts";

/** Settings of the cluster autoscaler that AKS runs. Azure takes all of them as text, durations and numbers included. */

const whole = String.raw`^(\d+)$`;
const minutes = String.raw`^(\d+)m$`;
const seconds = String.raw`^(\d+)s$`;

/** Longest text of a number or a duration; ten times what is in use. */
const maxLength = 64;

const yesOrNo = (description: string, byDefault: "true" | "false") =>
  Type.Optional(oneOf(description, ["true", "false"], { default: byDefault }));
const number = (description: string, byDefault: string) =>
  Type.Optional(text(description, { pattern: whole, default: byDefault }));
const inMinutes = (description: string, byDefault: string) =>
  Type.Optional(text(`${description} In minutes: \`10m\`.`, { pattern: minutes, default: byDefault }));
const inSeconds = (description: string, byDefault: string) =>
  Type.Optional(text(`${description} In seconds: \`10s\`.`, { pattern: seconds, default: byDefault }));

/**
 * Settings for all pools that scale by themselves; the defaults are those of AKS
 * (https://learn.microsoft.com/azure/aks/cluster-autoscaler#cluster-autoscaler-profile-settings).
 */
export const aksAutoscaler = Type.Object(
  {
    balanceSimilarNodeGroups: yesOrNo("Whether pools that are alike are kept at about the same size.", "false"),
    expander: Type.Optional(
      oneOf("How the pool to grow is chosen.", ["least-waste", "most-pods", "priority", "random"], {
        default: "random",
      }),
    ),
    maxEmptyBulkDelete: Type.Optional(
      text("Empty nodes that may go at once; a whole number.", { pattern: whole, default: "10" }),
    ),
    maxGracefulTerminationSec: number("Seconds that pods get to end when their node goes.", "600"),
    maxNodeProvisionTime: inMinutes("How long a node may take to come.", "15m"),
    maxTotalUnreadyPercentage: Type.Optional(
      ruled(
        text("Share of unready nodes, 0 to 100, from which scaling stops.", {
          minLength: 1,
          maxLength: 3,
          pattern: whole,
          default: "45",
        }),
        { rule: "!self.matches('^[0-9]{1,3}$') || int(self) <= 100", message: "must be from 0 to 100" },
      ),
    ),
    newPodScaleUpDelay: Type.Optional(
      ruled(text("Age from which a pod without a place counts, such as `30s` or `1m`.", { maxLength, default: "0s" }), {
        rule: "self.matches('^[-+]?(0|(([0-9]+([.][0-9]*)?|[.][0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$')",
        message: "must be a duration, such as 30s, 1m or 1m30s",
      }),
    ),
    okTotalUnreadyCount: number("Unready nodes that are tolerated whatever their share.", "3"),
    scanInterval: inSeconds("How often the need is looked at.", "10s"),
    scaleDownDelayAfterAdd: inMinutes("Rest from shrinking after growth.", "10m"),
    scaleDownDelayAfterDelete: inSeconds("Rest from shrinking after a node went.", "10s"),
    scaleDownDelayAfterFailure: inMinutes("Rest from shrinking after it failed.", "3m"),
    scaleDownUnneededTime: inMinutes("How long a node must be dispensable before it goes.", "10m"),
    scaleDownUnreadyTime: inMinutes("How long an unready node must be dispensable before it goes.", "20m"),
    scaleDownUtilizationThreshold: Type.Optional(
      ruled(text("Requested share of a node, 0 to 1, below which it is dispensable.", { maxLength, default: "0.5" }), {
        rule: "self.matches('^[+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]{1,2})?$') && double(self) <= 1.0",
        message: "must be a number from 0 to 1, such as 0.5",
      }),
    ),
    skipNodesWithLocalStorage: yesOrNo("Whether nodes stay whose pods keep data on them.", "false"),
    skipNodesWithSystemPods: yesOrNo("Whether nodes stay that run pods of `kube-system`.", "true"),
  },
  { description: "Settings of the cluster autoscaler, for all pools that have `scaling`." },
);
