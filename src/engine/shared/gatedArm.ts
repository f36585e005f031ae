import { hashOf } from "../../core/hash.ts";
import { isHeldBack } from "../../core/heldBack.ts";
import type { CredentialSpec } from "../../core/identity.ts";
import { parseId, typeOf } from "../../core/ids.ts";
import type { Failure, Result } from "../../core/types.ts";
import type { Arm, ArmRequest } from "../../ports.ts";
import type { Deps } from "../deps.ts";
import { verbOf } from "../throttle/bucket.ts";
import { clearWaits, meetWaits, rowName, tellWait } from "./sharedWaits.ts";

type Asked = Pick<ArmRequest, "method" | "path" | "asked">;

const subscriptionOf = (path: string): string | undefined => /^\/subscriptions\/([^/]+)/i.exec(path)?.[1];

/**
 * Failures of the identity itself: whatever it asks for fails. All others are of what it may do, which is a matter of the
 * scope and the kind of resource.
 */
const isOfIdentity = ({ status, code }: Failure): boolean =>
  status === 401 || /^(AADSTS\d+|SubscriptionNotFound)$/.test(code);

/** The identity with its secret: another secret is another cause, so nobody waits for the old one. */
const identityRow = ({ cloud, tenantId, clientId, identity, version }: CredentialSpec): string =>
  rowName("auth", tenantId, clientId, hashOf([cloud, identity, version ?? ""]));

const scopeRow = (spec: CredentialSpec, { method, path }: Asked): string =>
  rowName(identityRow(spec), parseId(path)?.resourceGroup ?? "", typeOf(path) ?? path, verbOf(method));

/** That Azure has looked at the request proves that the identity is good. */
const provesIdentity = (answer: Result<unknown>): boolean =>
  answer.ok || (answer.error.kind !== "auth" && (answer.error.status ?? 500) < 500 && !isHeldBack(answer.error));

/** Whose identity it is stands in every condition that comes of it, and as whom it asks. */
const named = (failure: Failure, { identity, clientId, tenantId }: CredentialSpec): Failure =>
  failure.message.startsWith("AzureClusterIdentity ")
    ? failure
    : {
        ...failure,
        message: `AzureClusterIdentity ${identity} (client ${clientId}, tenant ${tenantId}): ${failure.message}`,
      };

/** Who asks: one turn, or one tick of a timer. */
interface Asker {
  /** Names its probes. */
  readonly nonce: string;
  /** What it asks about when the path of a request names no subscription; without it such a request is not held back. */
  readonly subscription?: string;
}

/**
 * Azure for one turn, asked only when the identity is not known to be refused: the first object that is refused tells the
 * others, who wait and show the same; when the time has come one of them probes.
 */
export const gatedArm = (arm: Arm, spec: CredentialSpec, { nonce, ...about }: Asker, deps: Deps): Arm => {
  const pass = async <T>(request: Asked, run: () => Promise<Result<T>>): Promise<Result<T>> => {
    const subscription = subscriptionOf(request.path) ?? about.subscription;
    if (subscription === undefined) return run();
    const own = identityRow(spec);
    const rows = [own, scopeRow(spec, request)];
    const met = await meetWaits({ subscription, rows, nonce, hurried: request.asked === true }, deps);
    if (met !== undefined) return { ok: false, error: met };
    const answer = await run();
    if (!answer.ok && answer.error.kind === "auth") {
      const row = isOfIdentity(answer.error) ? own : scopeRow(spec, request);
      return { ok: false, error: await tellWait(subscription, row, named(answer.error, spec), deps) };
    }
    if (provesIdentity(answer)) await clearWaits(subscription, rows, deps);
    return answer;
  };
  return {
    send: (request) => pass(request, () => arm.send(request)),
    poll: (operation, target) => pass({ method: "GET", path: target.path }, () => arm.poll(operation, target)),
    list: (request, mayGoOn) => pass(request, () => arm.list(request, mayGoOn)),
  };
};

/** The same deps, with every connection to Azure gated. */
export const gated = (deps: Deps, asker: Asker): Deps => ({
  ...deps,
  azure: {
    connect: async (spec) => {
      const connected = await deps.azure.connect(spec);
      return connected.ok ? { ok: true, value: gatedArm(connected.value, spec, asker, deps) } : connected;
    },
  },
});

/** For a person who waits: what is shared of earlier failures does not hold it. */
export const asking = (arm: Arm): Arm => ({ ...arm, send: (request) => arm.send({ ...request, asked: true }) });
