import type { CredentialSpec } from "./identity.ts";
import type { Service } from "./service.ts";
import type { Claim, JsonObject, KubeObject, ObjectKey, Result, Tags } from "./types.ts";

/** Another object that a turn reads. A missing one is not a failure: the kind says what it waits for. */
export interface Dependency {
  /** Under which name the kind finds it in its input (`cluster`, `identity`, `namespace`). */
  readonly role: string;
  readonly key: ObjectKey;
}

/** Availability zones of a region. */
export interface ZonesQuery {
  readonly kind: "zones";
  readonly subscription: string;
  readonly location: string;
}

/** Which virtual networks are linked to private zones of a name, wherever in the subscription these are. */
export interface ZoneLinksQuery {
  readonly kind: "zoneLinks";
  readonly subscription: string;
  readonly zone: string;
}

/** Something to look up in Azure, declared by a kind, fetched by the engine, frozen into the scope. */
export type FactQuery = ZonesQuery | ZoneLinksQuery;

export type Fact =
  | { readonly kind: "zones"; readonly location: string; readonly zones: readonly string[] }
  | { readonly kind: "zoneLinks"; readonly zone: string; readonly links: readonly ZoneLink[] };

/** One virtual network that finds the names of a private zone; ids as Azure shows them. */
export interface ZoneLink {
  readonly id: string;
  readonly vnet: string;
}

/** A reason why there is no scope: bad configuration, or something that is not there yet. */
export interface Problem {
  readonly condition: string;
  readonly severity: "Error" | "Warning" | "Info";
  /** From `reasons.ts`. */
  readonly reason: string;
  /** Names the field, its value and what would be right. */
  readonly message: string;
}

/** All that a kind sees of the management cluster in one turn. */
export interface KindInput {
  readonly object: KubeObject;
  readonly dependencies: Readonly<Record<string, KubeObject | undefined>>;
  readonly settings: { readonly subscriptionId?: string };
}

/** How far a service has come in this turn. */
export type ServiceState =
  | { readonly kind: "unused" }
  /** `message`: what is to be known of it all the same. */
  | { readonly kind: "done"; readonly message?: string }
  | { readonly kind: "waiting"; readonly why: string }
  | { readonly kind: "inProgress"; readonly verb: "creating" | "updating" | "deleting" }
  | { readonly kind: "refused"; readonly reason: string; readonly message: string }
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly severity: "Error" | "Warning" | "Info";
      readonly message: string;
      /** Only its tags could not be written: what needs the resource goes on. */
      readonly stands?: true;
    };

/** Observed bodies by `idKey(id)`, of resources whose service is done. */
export type ObservedBodies = ReadonlyMap<string, JsonObject>;

export interface Outcome {
  readonly services: ReadonlyMap<string, ServiceState>;
  readonly bodies: ObservedBodies;
  /** Every service is done or unused. */
  readonly settled: boolean;
}

/** What a kind wants written to its own object. */
export interface Report {
  /** Spec fields that the contract assigns to the provider (`controlPlaneEndpoint`). */
  readonly spec: JsonObject;
  /** Status fields beside the conditions. */
  readonly status: JsonObject;
  /** Claims beyond those of the services. */
  readonly claims: readonly Claim[];
  /** Condition types of ours that no longer apply and go. */
  readonly retired?: readonly string[];
}

/** What belongs to the object by tag, for deletion. */
export interface Ownership {
  readonly tags: Tags;
  readonly subscription: string;
  /** Resource groups in which the list by owner tag runs. */
  readonly groups: readonly string[];
}

/** An object as its kind read it, once a turn: parsed, checked, and ready to become a scope. */
export interface Reading<Scope> {
  /**
   * Why there can be no scope, whatever Azure says: all that is wrong with the spec at once (condition `SpecValid`), and
   * what is not there yet. They keep an object from being reconciled, never from being deleted.
   */
  readonly problems: readonly Problem[];
  /** The secret that the identity among the dependencies names, if it needs one. */
  readonly secret?: { readonly namespace: string; readonly name: string };
  /** Which credential, given that secret. */
  readonly credential: (secret: Readonly<Record<string, string>> | undefined) => Result<CredentialSpec, Problem>;
  readonly facts: readonly FactQuery[];
  /** Defaults applied, names settled, contradictions refused, before any write. */
  readonly scope: (facts: readonly Fact[]) => Result<Scope, readonly Problem[]>;
  readonly report: (scope: Scope, outcome: Outcome) => Report;
}

/** One reconciled kind: how its object becomes a scope, and which services carry it. Pure. */
export interface Kind<Scope> {
  readonly kind: string;
  readonly finalizer: string;
  /** Condition that says whether the infrastructure is there (`NetworkInfrastructureReady`). */
  readonly summary: string;
  readonly services: readonly Service<Scope>[];
  readonly dependencies: (object: KubeObject) => readonly Dependency[];
  readonly read: (input: KindInput) => Reading<Scope>;
  readonly ownership: (scope: Scope) => Ownership;
}
