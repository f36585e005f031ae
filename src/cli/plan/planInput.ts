import type { Circumstances } from "../../core/circumstances.ts";
import type { Planned, RunnableKind } from "../../core/runnableKind.ts";
import type { KubeObject } from "../../core/types.ts";
import type { ResourceSchema } from "../../wire/schema.ts";
import type { AzureView } from "./azureView.ts";

/** All that a plan is made of; the plan itself asks nobody. */
export interface PlanInput {
  readonly kind: RunnableKind;
  readonly object: KubeObject;
  readonly planned: Planned;
  readonly circumstances: Circumstances;
  /** The schema of a type that the kind makes. */
  readonly schema: (type: string) => ResourceSchema;
  readonly azure: AzureView;
}

/** A plan is about no moment: nothing is known of earlier ones. */
export const planNowMs = 0;
/** What a plan stands for among the causes of writes. */
export const planCause = "plan";
