import { typeOf } from "../core/ids.ts";
import type { Planned, RunnableKind } from "../core/runnableKind.ts";
import type { Failure, Result } from "../core/types.ts";
import type { Arm, ArmRequest, Azure, Fields, Kube, Log, PollAnswer } from "../ports.ts";
import { secretTexts } from "../wire/redact.ts";
import type { Deps } from "./deps.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import { type KnownSecrets, knownSecrets } from "./knownSecrets.ts";
import { secretsOfPlan, withPlansTold } from "./plannedSecrets.ts";

/** The world of one turn: secrets that went through its hands come back from nowhere, and what Azure answered is kept. */
export interface Discreet {
  readonly azure: Azure;
  readonly kube: Kube;
  readonly kind: RunnableKind;
  readonly log: Log;
  /** Oldest first; grows as the turn goes on. */
  readonly exchanges: readonly Exchange[];
  readonly blank: KnownSecrets["blank"];
}

type Told = <T>(result: Result<T>) => Result<T>;

const teller =
  ({ blank }: KnownSecrets): Told =>
  (result) =>
    result.ok ? result : { ok: false, error: blanked(result.error, blank) };

const blanked = (failure: Failure, blank: KnownSecrets["blank"]): Failure => ({
  ...failure,
  message: blank(failure.message),
});

/** Secrets of a body, by the schema of the resource that it is for; of a type without one, none are known. */
const learnFrom = async (
  { path, body }: ArmRequest,
  secrets: KnownSecrets,
  schemaOf: Deps["schema"],
): Promise<void> => {
  const type = body === undefined ? undefined : typeOf(path);
  if (body === undefined || type === undefined) return;
  try {
    const schema = await schemaOf(type);
    secrets.learn(secretTexts(schema, schema.body, body));
  } catch {
    // Tags at scope and the like are written under types that have no schema, and hold no secret.
  }
};

/** What an arm of the turn learns of before it asks Azure anything. */
interface Learning {
  readonly secrets: KnownSecrets;
  readonly schemaOf: Deps["schema"];
  /** Plans that were made and not yet looked through; emptied. */
  readonly plans: Planned[];
}

const learnPlans = async ({ secrets, schemaOf, plans }: Learning): Promise<void> => {
  for (const planned of plans.splice(0)) secrets.learn(await secretsOfPlan(planned, schemaOf));
};

const armOf = (inner: Arm, learning: Learning, exchanges: Exchange[]): Arm => {
  const { secrets, schemaOf } = learning;
  const tell = teller(secrets);
  const ended = (answer: Result<PollAnswer>): Result<PollAnswer> =>
    answer.ok && answer.value.kind === "failed"
      ? { ok: true, value: { kind: "failed", failure: blanked(answer.value.failure, secrets.blank) } }
      : tell(answer);
  return {
    ...inner,
    send: async (request) => {
      await learnPlans(learning);
      await learnFrom(request, secrets, schemaOf);
      const answer = tell(await inner.send(request));
      if (!answer.ok || request.method !== "GET") exchanges.push(exchangeOf(request.method, request.path, answer));
      return answer;
    },
    poll: async (operation, target) => {
      await learnPlans(learning);
      const answer = ended(await inner.poll(operation, target));
      if (!answer.ok) exchanges.push(exchangeOf("POLL", target.path, answer));
      else if (answer.value.kind === "failed")
        exchanges.push(exchangeOf("POLL", target.path, { ok: false, error: answer.value.failure }));
      return answer;
    },
    list: async (request, mayGoOn) => {
      await learnPlans(learning);
      const answer = tell(await inner.list(request, mayGoOn));
      if (!answer.ok) exchanges.push(exchangeOf("LIST", request.path, answer));
      return answer;
    },
  };
};

/** Names of the parts of a credential that are none of its secrets. */
const open: ReadonlySet<string> = new Set([
  "kind",
  "cloud",
  "tenantId",
  "clientId",
  "identity",
  "usedBy",
  "path",
  "version",
]);

const azureOf = (inner: Azure, learning: Learning, exchanges: Exchange[]): Azure => ({
  connect: async (credential) => {
    const { secrets } = learning;
    secrets.learn(Object.entries(credential).flatMap(([name, value]) => (open.has(name) ? [] : [String(value)])));
    const connected = teller(secrets)(await inner.connect(credential));
    return connected.ok ? { ok: true, value: armOf(connected.value, learning, exchanges) } : connected;
  },
});

const kubeOf = (inner: Kube, secrets: KnownSecrets): Kube => {
  const tell = teller(secrets);
  return {
    get: async (key) => tell(await inner.get(key)),
    list: async (kind) => tell(await inner.list(kind)),
    listMetadata: async (kind) => tell(await inner.listMetadata(kind)),
    apply: async (manifest, options) => tell(await inner.apply(manifest, options)),
    event: async (object, event) =>
      tell(await inner.event(object, { ...event, message: secrets.blank(event.message) })),
    dropFinalizer: async (key, uid, finalizer) => tell(await inner.dropFinalizer(key, uid, finalizer)),
    secret: async (namespace, name) => {
      const read = await inner.secret(namespace, name);
      if (read.ok) secrets.learn(Object.values(read.value.values));
      return tell(read);
    },
  };
};

const logOf =
  (inner: Log, { blank }: KnownSecrets): Log =>
  (level, message, fields: Fields = {}) =>
    inner(
      level,
      message,
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? blank(value) : value]),
      ),
    );

/** Azure's words may quote what it was sent, and an exception what it was about: what goes in is blanked where it comes out. */
export const discreet = (
  { azure, log, schema }: Pick<Deps, "azure" | "log" | "schema">,
  kube: Kube,
  kind: RunnableKind,
): Discreet => {
  const secrets = knownSecrets();
  const exchanges: Exchange[] = [];
  const plans: Planned[] = [];
  return {
    azure: azureOf(azure, { secrets, schemaOf: schema, plans }, exchanges),
    kube: kubeOf(kube, secrets),
    kind: withPlansTold(kind, (planned) => plans.push(planned)),
    log: logOf(log, secrets),
    exchanges,
    blank: secrets.blank,
  };
};
