import type { Change, JsonObject, ObjectKey } from "../../core/types.ts";

/** What a step does to its resource; `none` leaves it as it is. */
export type PlanAction = "create" | "update" | "delete" | "none" | "refused";

/** One request to Azure, or the one resource of which nothing is to be changed. */
export interface PlanStep {
  readonly service: string;
  readonly action: PlanAction;
  /** Of what is refused: why. Of what is left alone because it is not ours: `Unmanaged`. */
  readonly reason?: string;
  /** `GET` where nothing is written. */
  readonly method: "GET" | "PUT" | "PATCH" | "DELETE";
  /** In the case in which it is sent. */
  readonly id: string;
  readonly type: string;
  readonly apiVersion: string;
  /** Further query parameters; only where the request has some. */
  readonly query?: Readonly<Record<string, string>>;
  /** Ids of other steps that this one needs to be done first. */
  readonly dependsOn: readonly string[];
  /** Sorted by path; secrets are blanked. */
  readonly changes: readonly Change[];
  /** As sent, secrets blanked; empty where nothing is sent. */
  readonly body: JsonObject;
}

/** What is asked of Azure for one object; the form of `-o json`. */
export interface Plan {
  readonly kind: "Plan";
  readonly object: ObjectKey;
  /** In an order that works. */
  readonly steps: readonly PlanStep[];
}

/** Something that people should know of a plan beside its steps. */
export interface Remark {
  /**
   * `unmanaged`: used as it is; `refused`: wanted and not done; `kept`: stays in Azure; `goesAlong`: goes with its group
   * although it is not ours; `note`: anything else.
   */
  readonly kind: "unmanaged" | "refused" | "kept" | "goesAlong" | "note";
  readonly id?: string;
  readonly message: string;
}

/** A plan with what people are told beside it. */
export interface ObjectPlan {
  readonly plan: Plan;
  readonly remarks: readonly Remark[];
}

const changing: ReadonlySet<PlanAction> = new Set(["create", "update", "delete"]);

/** Whether anything would be written to Azure. */
export const changesAnything = ({ steps }: Plan): boolean => steps.some(({ action }) => changing.has(action));
